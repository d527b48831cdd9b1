import { randomUUID } from "node:crypto";

/** Signs in as a browser's form does and gives back the cookies, for tests that ask as a web page would. */
export async function sessionCookie(
  url: string,
  email: string,
  password = "a long password",
): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: {
      cookie: cookiesOf(csrf),
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": somewhere(),
    },
    body: new URLSearchParams({ csrfToken, email, password }),
  });
  const cookies = cookiesOf(answer);
  if (!cookies.includes("cove.session=")) throw new Error(`${email} could not sign in (${answer.status}).`);
  return cookies;
}

/** An address in a network of its own: many tests sign in, and one address may do so only so often. */
export function somewhere(): string {
  return `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
}

/** The cookies an answer sets, as a browser would send them back. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
