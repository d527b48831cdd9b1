// As much of a GitHub Enterprise Server as signing in needs: it knows one person, who always agrees.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cookiesOf } from "./session-cookie.ts";

export interface GithubPerson {
  id: number;
  login: string;
  email: string;
}

export async function startGithub() {
  let person: GithubPerson = { id: 0, login: "", email: "" };
  const server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://github.invalid");
    const json = (body: unknown) =>
      answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/login/oauth/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "agreed");
      answer.writeHead(302, { location: back.href }).end();
    } else if (pathname === "/login/oauth/access_token") json({ access_token: "t", token_type: "bearer" });
    else if (pathname === "/api/v3/user") json(person);
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Who sits at the browser from now on. */
    become: (next: GithubPerson) => {
      person = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** As a browser goes: the button, GitHub, and back with what it said. Where that leads, and with which cookies. */
export async function throughGithub(url: string): Promise<{ to: string; cookie: string }> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const asked = await fetch(`${url}/api/auth/signin/github`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ csrfToken, callbackUrl: "/chat" }),
  });
  const agreed = await fetch(asked.headers.get("location") ?? "", { redirect: "manual" });
  const back = await fetch(agreed.headers.get("location") ?? "", {
    redirect: "manual",
    // Of two with one name the first counts.
    headers: { cookie: [cookiesOf(asked), cookiesOf(csrf)].join("; ") },
  });
  const to = new URL(back.headers.get("location") ?? "", url);
  return { to: to.pathname + to.search, cookie: cookiesOf(back) };
}
