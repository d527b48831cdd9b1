// Whom a start is open to, and what the first of them needs.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listUsers } from "#db/queries/users.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { startGithub, throughGithub } from "../support/github.ts";
import { health } from "../support/health.ts";
import { addPerson, databaseOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const CODE = /^ {2}Code +([A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}) /m;

let github: Awaited<ReturnType<typeof startGithub>>;
let dataDir: string;
let cove: Cove;
beforeAll(async () => {
  github = await startGithub();
  github.become({ id: 1, login: "mallory", email: "mallory@github.example" });
  dataDir = await temporaryDirectory();
});
afterAll(async () => {
  await cove?.stop();
  await github.close();
  await removeInstallation(dataDir);
});

function start(listen?: string): Promise<Cove> {
  return startCove({
    COVE_DATA_DIR: dataDir,
    COVE_LISTEN: listen,
    AUTH_GITHUB_ID: "our-client",
    AUTH_GITHUB_SECRET: "our-secret",
    AUTH_GITHUB_URL: github.url,
  });
}

test("by default only this machine gets in, and the first account needs nothing", async () => {
  cove = await start();
  const { port } = new URL(cove.url);
  // Every address of 127.0.0.0/8 is this machine's, so this one stands for all it has.
  expect(await connectsTo("127.0.0.2", Number(port))).toBe(false);
  expect(await health(cove)).toMatchObject({ status: "ok" });
  expect(cove.output()).toContain(`Listens  on 127.0.0.1:${port}, for this machine only.`);
  expect(cove.output()).not.toMatch(CODE);
  expect(await signUpPage()).not.toContain('name="code"');
  await cove.stop();
});

test("opened to others, the first account needs the code of the start, also through GitHub", async () => {
  cove = await start("0.0.0.0");
  const { port } = new URL(cove.url);
  expect(cove.output()).toContain(`Listens  on 0.0.0.0:${port}, open to whoever reaches it`);
  const [, code = ""] = CODE.exec(cove.output()) ?? [];
  expect(code).not.toBe("");
  expect(await connectsTo("127.0.0.2", Number(port))).toBe(true);
  expect(await signUpPage()).toContain('name="code"');
  expect(await signUpPage()).not.toContain(code);
  expect((await throughGithub(cove.url)).to).toBe("/sign-in?error=FirstAccount");
  expect(await listUsers((await databaseOf(dataDir)).db)).toEqual([]);
  await cove.stop();
  expect(cove.output().split(code)).toHaveLength(2);

  cove = await start("0.0.0.0");
  expect(CODE.exec(cove.output())?.[1]).toBe(code);
});

test("once somebody has an account nobody is asked for it", async () => {
  await addPerson(dataDir, { email: "ada@example.com", name: "Ada", password: "a long password" });
  expect(await signUpPage()).not.toContain('name="code"');
  expect((await throughGithub(cove.url)).to).toBe("/chat");
  await cove.stop();
  cove = await start("0.0.0.0");
  expect(cove.output()).not.toMatch(CODE);
});

async function signUpPage(): Promise<string> {
  return (await fetch(`${cove.url}/sign-up`)).text();
}

function connectsTo(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
