// One workspace, many doors: what was done through one is there at the others, and each says the same of it.

import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, callerWith, ownCove } from "../support/caller.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { startModelServer } from "../support/model-server.ts";
import { addToken } from "../support/people.ts";
import { newWebPerson, textOf, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
const own = ownCove({
  COVE_EGRESS: "off",
  OPENAI_BASE_URL: model.openai,
  OPENAI_API_KEY: model.key,
  COVE_MODEL: "local/echo",
});

let person: WebPerson;
let rest: Caller;
let mcp: Client;
beforeAll(async () => {
  person = await newWebPerson(own.cove);
  rest = callerWith(own.cove.url, person.email, await addToken(own.cove.dataDir, person.id));
  mcp = await mcpClient(own.cove.url, rest.token);
});
afterAll(async () => {
  await mcp?.close();
  await model.close();
});

/** What a model reads of a call by MCP. */
async function readByMcp(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await mcp.callTool({ name, arguments: args });
  const [first] = content as { type: string; text?: string }[];
  return first?.text ?? "";
}

/** What our own agent's model reads of one. */
async function readByAgent(name: string, args: object): Promise<string> {
  const read: string[] = [];
  model.script("once", { calls: [{ name, arguments: args }] }, ({ results }) => {
    read.push(results.at(-1) ?? "");
    return { text: "Read." };
  });
  const { answer } = await person.ask(await person.newChat(), "Go", { model: "local/once" });
  expect(textOf(answer)).toBe("Read.");
  return read[0] ?? "";
}

test("a session is the same state for the chat, an MCP client and REST", async () => {
  expect(await readByAgent("execute_python", { code: "steps = ['chat']\nsteps" })).toBe("['chat']");
  const direct = await person.newChat();
  await person.ask(direct, ">>> steps.append('typed')");
  expect(await readByMcp("execute_python", { code: "steps.append('mcp'); steps" })).toBe(
    "['chat', 'typed', 'mcp']",
  );
  const { body } = await rest.execute("execute_python", { code: "steps.append('rest'); steps" });
  expect(body).toMatchObject({
    session: "default",
    restarted: false,
    results: [{ text: "['chat', 'typed', 'mcp', 'rest']" }],
  });
  expect(await readByAgent("execute_python", { code: "len(steps)" })).toBe("4");
  expect(await readByMcp("execute_python", { code: "'steps' in dir()", session: "another" })).toBe("False");
});

test("what the network policy refused is read at every door, however silent the program is", async () => {
  const command = { command: "curl -s https://example.com/; true" };
  const sentence = /example\.com:443.*This sandbox has no network\./;
  const { body } = await rest.execute("execute_bash", command);
  expect(body.denied_hosts).toMatchObject([
    { host: "example.com", message: expect.stringMatching(sentence) },
  ]);
  expect(await readByMcp("execute_bash", command)).toMatch(sentence);
  expect(await readByAgent("execute_bash", command)).toMatch(sentence);
  const cell = { code: "import subprocess\n_ = subprocess.run(['curl', '-s', 'https://example.com/'])" };
  expect(await readByMcp("execute_python", cell)).toMatch(sentence);
  expect(await readByMcp("check_execution", { execution_id: body.execution_id })).toMatch(sentence);
});

test("a run that is refused much is told about the first few, and that there are more", async () => {
  const command = "for n in $(seq 9); do curl -s https://site$n.example/; done; true";
  const read = await readByMcp("execute_bash", { command });
  expect(read.match(/^.*site\d\.example/gm)).toHaveLength(5);
  expect(read).toContain("And 4 more; denied_hosts has all of them.");
});

test("an installation that the network policy stops says so", async () => {
  const packages = { packages: ["no-such-thing"] };
  for (const read of [
    await readByMcp("install_dependencies", packages),
    await readByAgent("install_dependencies", packages),
  ]) {
    expect(read).toMatch(/^no-such-thing: failed\./);
    expect(read).toMatch(/This sandbox has no network\./);
  }
});

test("what to do about a missing module is read at every door", async () => {
  const code = { code: "import cv2" };
  const hint = "There is no module cv2: install the package opencv-python-headless to get it.";
  expect((await rest.execute("execute_python", code)).body).toMatchObject({ status: "failed", hint });
  expect(await readByMcp("execute_python", code)).toContain(`Hint: ${hint}`);
  expect(await readByAgent("execute_python", code)).toContain(`Hint: ${hint}`);
  const { body } = await rest.execute("execute_python", { code: "import pandas.nope" });
  expect(body).toMatchObject({ status: "failed", stderr: expect.stringContaining("pandas.nope") });
  expect(body).not.toHaveProperty("hint");
});

test("a program may be as long as its tool says, and not longer", async () => {
  const most = 128 * 1024 - 1;
  const padded = (line: string, size: number) => `${line}#${"x".repeat(size - line.length - 1)}`;
  for (const [name, field, line] of [
    ["execute_bash", "command", "echo 1\n"],
    ["execute_python", "code", "print(1)\n"],
  ] as const) {
    const fits = await rest.execute(name, { [field]: padded(line, most) });
    expect(fits).toMatchObject({ status: 200, body: { status: "completed", stdout: "1\n" } });
    expect((await rest.execute(name, { [field]: padded(line, most + 1) })).status).toBe(400);
    expect((await rest.execute(name, { [field]: "ü".repeat(most - 1) })).status).toBe(400);
    // What grows on its way is refused as well, and the sandbox goes on.
    const grows = await rest.execute(name, { [field]: "\u0001".repeat(most) });
    expect(grows).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/too long to be sent at once/) } },
    });
  }
  expect((await rest.execute("execute_bash", { command: "echo on" })).body.stdout).toBe("on\n");
});
