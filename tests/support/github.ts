// As much of a GitHub Enterprise Server as signing in needs: it knows one person, who always agrees.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
