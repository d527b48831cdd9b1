// A signed-in browser's cookie without the browser.

/** Gives back what goes into the `Cookie` header. */
export async function webSession(url: string, email: string, password: string): Promise<string> {
  const first = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await first.json();
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(first), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email, password }),
  });
  const cookie = cookiesOf(response);
  if (!/cove\.session=/.test(cookie)) throw new Error(`${email} could not sign in (${response.status}).`);
  return cookie;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
