// What comes and goes when somebody signs in: through a provider, over the wire, in the cookie.
import { decode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findUserByEmail, setDisabled } from "#db/queries/users.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { startGithub, throughGithub } from "../support/github.ts";
import { addPerson, databaseOf } from "../support/people.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SECRET = "s".repeat(32);
const ADA = { id: 1815, login: "ada", email: "ada@github.example" };

let github: Awaited<ReturnType<typeof startGithub>>;
let dataDir: string;
let cove: Cove;

beforeAll(async () => {
  github = await startGithub();
  dataDir = await temporaryDirectory();
  cove = await startCove(settings());
});

afterAll(async () => {
  await cove.stop();
  await github.close();
  await removeInstallation(dataDir);
});

function settings() {
  const keys = {
    AUTH_GITHUB_ID: "our-client",
    AUTH_GITHUB_SECRET: "our-secret",
    AUTH_GITHUB_URL: github.url,
  };
  return { COVE_DATA_DIR: dataDir, AUTH_SECRET: SECRET, ...keys };
}

test("the cookie holds a session's id, and nothing about the person", async () => {
  const email = "grace@example.com";
  await addPerson(dataDir, { email, name: "Grace", password: "a long password" });
  const cookies = await sessionCookie(cove.url, email);
  const [, token] = /cove\.session=([^;]+)/.exec(cookies) ?? [];
  const content = await decode({ token, secret: SECRET, salt: "cove.session" });
  expect(Object.keys(content ?? {}).toSorted()).toEqual(["exp", "iat", "jti", "sid"]);
  expect(content?.sid).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ["that says its length", false],
  ["that doesn't", true],
])("a body that no sign-in needs, %s, is refused", async (_, streamed) => {
  const bytes = new Uint8Array(50_000);
  const answer = await fetch(`${cove.url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: streamed ? new Blob([bytes, bytes]).stream() : new Blob([bytes, bytes]),
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ error: { code: "too_large" } });
});

test("somebody GitHub sends gets an account, and the same one the next time", async () => {
  github.become(ADA);
  const first = await throughGithub(cove.url);
  expect(first.to).toBe("/chat");
  const again = await throughGithub(cove.url);
  expect(again.to).toBe("/chat");
  expect(await nameAt(first.cookie)).toBe(await nameAt(again.cookie));
  expect(await nameAt(first.cookie)).toContain("ada@github.example");
});

test("GitHub's word for an address doesn't open an account that somebody made with a password", async () => {
  const email = "taken@github.example";
  await addPerson(dataDir, { email, name: "First", password: "a long password" });
  github.become({ id: 2, login: "impostor", email });
  expect((await throughGithub(cove.url)).to).toBe("/sign-in?error=OAuthAccountNotLinked");
});

test("somebody who was disabled doesn't get in through GitHub either", async () => {
  github.become({ id: 3, login: "mallory", email: "mallory@github.example" });
  const { cookie } = await throughGithub(cove.url);
  const { db } = await databaseOf(dataDir);
  await setDisabled(db, (await findUserByEmail(db, "mallory@github.example"))?.id ?? "", true);
  expect((await throughGithub(cove.url)).to).toBe("/sign-in?error=AccessDenied");
  expect((await settingsPage(cookie)).status).toBe(307);
});

test("where sign-up is closed GitHub brings nobody new, and those it knows as before", async () => {
  await cove.stop();
  cove = await startCove({ ...settings(), COVE_SIGNUP: "closed" });
  github.become({ id: 4, login: "late", email: "late@github.example" });
  expect((await throughGithub(cove.url)).to).toBe("/sign-in?error=SignUpClosed");
  github.become(ADA);
  expect((await throughGithub(cove.url)).to).toBe("/chat");
});

function settingsPage(cookie: string): Promise<Response> {
  return fetch(`${cove.url}/settings`, { headers: { cookie }, redirect: "manual" });
}

async function nameAt(cookie: string): Promise<string> {
  const page = await (await settingsPage(cookie)).text();
  return /value="([^"]+@[^"]+)"/.exec(page)?.[1] ?? "nobody";
}
