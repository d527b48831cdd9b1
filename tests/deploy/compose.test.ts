// The stack of docker-compose.yml, by the commands of docs/operations.md: a person signs in and runs code, a client speaks MCP
// over stdio, the server is replaced, and everything comes back from a backup.

import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { blockUnder } from "../support/code-blocks.ts";
import { cleanEnv, root } from "../support/cove.ts";
import { jsonRequest } from "../support/json-request.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { onThisHost } from "../support/shell.ts";
import { newStack, type Stack } from "../support/stack.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const person = { email: "ada@example.com", password: "a long password" };
let guide: string;
let folder: string;
let stack: Stack;
let token: string;

beforeAll(async () => {
  guide = await readFile(path.join(root, "docs/operations.md"), "utf8");
  folder = await temporaryDirectory();
  stack = await newStack(inject("settings"));
  await stack.run(blockUnder(guide, "Install"));
  const printed = await stack.run(blockUnder(guide, "Users and tokens"));
  token = /cove_[\w-]{43}/.exec(printed)?.[0] ?? "";
}, 300_000);

afterAll(async () => {
  await stack.run(blockUnder(guide, "Remove"));
  await rm(folder, { recursive: true });
}, 120_000);

test("a person signs in and runs a command", async () => {
  await stack.well();
  const cookie = await sessionCookie(stack.url, person.email, person.password);
  const page = await fetch(`${stack.url}/history`, { headers: { cookie }, redirect: "manual" });
  expect(page.status).toBe(200);
  const ran = await execute("echo kept > note; id -un");
  expect(ran).toMatchObject({ status: "completed", stdout: "coderunner\n", artifacts: [{ size: 5 }] });
});

test("each container has what it needs and no more", async () => {
  const [app, postgres, gate] = await Promise.all(["app", "postgres", "gate"].map(stack.inspect));
  for (const { HostConfig } of [app, postgres, gate].filter((one) => one !== undefined)) {
    expect(HostConfig).toMatchObject({
      Privileged: false,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
    });
    expect(HostConfig.Memory).toBeGreaterThan(0);
    expect(HostConfig.PidsLimit).toBeGreaterThan(0);
  }
  expect(app?.Config.User).toBe("1000:1000");
  expect(postgres?.Config.User).toBe("1000:1000");
  expect([postgres, gate].map((one) => one?.HostConfig.NetworkMode)).toEqual(["none", "none"]);
  const sockets = [app, postgres, gate].map((one) =>
    one?.Mounts.some(({ Source }) => /docker\.sock$/.test(Source)),
  );
  expect(sockets).toEqual([false, false, true]);
});

test("the server's image holds no package manager, tests or caches of npm, and is small", async () => {
  const look =
    'docker compose exec -T app sh -c \'command -v npm npx gcc python3; find / -xdev -name "*.test.ts" -o -xdev -name _cacache -o -xdev -path /app/tests -o -xdev -path "*/node_modules/vitest"\'';
  expect(await stack.run(`${look} 2>/dev/null || true`)).toBe("");
  const bytes = await stack.run(`docker image inspect --format '{{.Size}}' ${inject("images").app}`);
  expect(Number(bytes) / 2 ** 20).toBeLessThan(450);
});

test("apt in an image verifies whom it talks to, whatever its build did", async () => {
  for (const image of [inject("images").app, inject("images").postgres, inject("images").sandbox]) {
    const look = "apt-config dump | grep -i verify; grep -ri verify /etc/apt";
    expect(
      await stack.run(`docker run --rm --network none --entrypoint sh ${image} -c '${look}' || true`),
    ).toBe("");
  }
});

test("a client that starts a command speaks MCP through the profile stdio", async () => {
  // The older compose has no `-i`, and needs none.
  const typed = (await onThisHost(blockUnder(guide, "MCP over stdio"))).trim();
  const [command = "", ...args] = typed.replace(/^docker-compose run -i/, "docker-compose run").split(" ");
  const env = cleanEnv({ ...stack.env, COVE_TOKEN: token }) as Record<string, string>;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: root, env, stderr: "ignore" }));
  const result = await client.callTool({ name: "execute_bash", arguments: { command: "cat note" } });
  expect(result.structuredContent).toMatchObject({ stdout: "kept\n" });
  await client.close();
});

test("a server that is replaced finds everything where it was", async () => {
  const before = await stack.inspect("app");
  const upgrade = blockUnder(guide, "Upgrade").replace("git pull\n", "");
  await stack.run(upgrade, { COVE_LOG_LEVEL: "debug" });
  await stack.well();
  expect((await stack.inspect("app")).Id).not.toBe(before.Id);
  expect(await execute("cat note")).toMatchObject({ stdout: "kept\n" });
  expect(await artifact()).toBe("kept\n");
});

test("a stack that is gone comes back from its backup", async () => {
  const BACKUP = path.join(folder, "backup");
  await stack.run(blockUnder(guide, "Back up"), { BACKUP });
  await stack.run(blockUnder(guide, "Remove"));
  stack = await newStack(inject("settings"));
  await stack.run(blockUnder(guide, "Restore"), { BACKUP });
  await stack.well();
  await sessionCookie(stack.url, person.email, person.password);
  expect(await execute("mkdir writable; cat note; stat -c %U note")).toMatchObject({
    stdout: "kept\ncoderunner\n",
  });
  expect(await artifact()).toBe("kept\n");
}, 240_000);

async function execute(command: string): Promise<unknown> {
  return call("/execute", { name: "execute_bash", arguments: { command } });
}

/** The contents of the one that was made. */
async function artifact(): Promise<string> {
  const { artifacts } = await call("/execute", { name: "list_artifacts", arguments: {} });
  const { pathname } = new URL(artifacts[0].url, stack.url);
  return (await fetch(`${stack.url}${pathname}`, { headers: { authorization: `Bearer ${token}` } })).text();
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
async function call(door: string, body: object): Promise<any> {
  return (await fetch(`${stack.url}${door}`, jsonRequest(token, body))).json();
}
