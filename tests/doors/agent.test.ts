import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerWith, ownCove } from "../support/caller.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { SIGNATURE, WRONG_GOOGLE_KEY } from "../support/model-server/gemini.ts";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { addToken, databaseOf } from "../support/people.ts";
import { newWebPerson, textOf, type WebPerson } from "../support/web-person.ts";
import { wheelsCommand } from "../support/wheels.ts";

const model = await startModelServer();
const own = ownCove({
  OPENAI_BASE_URL: model.openai,
  OPENAI_API_KEY: model.key,
  COVE_OPENAI_URL: model.openai,
  GEMINI_API_KEY: model.key,
  COVE_GEMINI_URL: model.gemini,
  COVE_MODEL: "local/echo",
  COVE_AGENT_STEPS: "6",
  COVE_AGENT_TOKENS: "5000",
  COVE_AGENT_PATIENCE: "20",
});
let ada: WebPerson;
let caller: Caller;
let client: Client;
/** Begun first, because it takes 45 s until it is handed over, and looked at last. */
let long: Promise<Record<string, unknown>>;

beforeAll(async () => {
  ada = await newWebPerson(own.cove);
  caller = callerWith(own.cove.url, ada.email, await addToken(own.cove.dataDir, ada.id));
  client = await mcpClient(own.cove.url, caller.token);
  const words = Array.from({ length: 25 }, (_, n) => `word${n} `);
  model.script("slowly", bash("mkdir -p outputs && echo kept > outputs/kept.txt"), {
    text: words,
    delayMs: 2000,
  });
  long = client
    .callTool(
      { name: "run_agent", arguments: { task: "Take your time", model: "local/slowly" } },
      { timeout: 300_000 },
    )
    .then(({ structuredContent }) => structuredContent as Record<string, unknown>);
});

afterAll(async () => {
  await client.close();
  await model.close();
});

const bash = (command: string) => ({ calls: [{ name: "execute_bash", arguments: { command } }] });
const python = (code: string) => ({ calls: [{ name: "execute_python", arguments: { code } }] });
const file = (file_path: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { file_path, content } }],
});

/** Asks a model of this script, in a conversation of its own. */
async function ask(name: string, text: string, provider = "local", ...script: Script) {
  if (script.length > 0) model.script(name, ...script);
  const id = provider === "google" ? `google/gemini-${name}` : `${provider}/${name}`;
  const chat = await ada.newChat();
  return { chat, ...(await ada.ask(chat, text, { model: id })) };
}

describe("a journey", () => {
  test("a missing module is installed, and the second attempt passes", async () => {
    const wheels = [{ name: "tinydep", version: "1.0", source: "ANSWER = 42\n" }];
    await ada.ask(await ada.newChat(), `!${wheelsCommand(wheels)}`);
    const { answer } = await ask(
      "repair",
      "Print tinydep's answer",
      "local",
      python("import tinydep; print(tinydep.ANSWER)"),
      ({ results }) =>
        results[0]?.includes("ModuleNotFoundError")
          ? { calls: [{ name: "install_dependencies", arguments: { packages: ["tinydep"] } }] }
          : { text: `Unexpected: ${results[0]}` },
      python("import tinydep; print(tinydep.ANSWER)"),
      ({ results }) => ({ text: ["The answer is ", results[2]?.trim() ?? "missing"] }),
    );
    expect(textOf(answer)).toBe("The answer is 42");
    const tools = answer.parts.filter((part) => part.type === "dynamic-tool");
    expect(tools.map(({ toolName }) => toolName)).toEqual([
      "execute_python",
      "install_dependencies",
      "execute_python",
    ]);
    expect(tools.map(({ output }) => (output as { status: string }).status)).toEqual([
      "failed",
      "completed",
      "completed",
    ]);
  });

  test("a test is written and fails, the function is written, the test passes", async () => {
    const { answer } = await ask(
      "tested",
      "Write a function add(a, b)",
      "local",
      file("test_add.py", "from add import add\nassert add(2, 3) == 5\nprint('passed')\n"),
      bash("python3 test_add.py"),
      ({ results }) =>
        results[1]?.includes("No module named 'add'")
          ? file("add.py", "def add(a, b):\n    return a + b\n")
          : { text: "Unexpected." },
      bash("python3 test_add.py"),
      ({ results }) => ({ text: results[3]?.includes("passed") ? "The test passes." : "It fails." }),
    );
    expect(textOf(answer)).toBe("The test passes.");
    expect(answer.metadata).toMatchObject({ status: "done", inputTokens: 500, outputTokens: 50 });
  });
});

describe("what the model is told", () => {
  test("is what MCP clients are told, about every tool but the agent itself, in order", async () => {
    await ask("told", "hello", "local", { text: "hi" });
    const asked = model.asked.findLast((one) => one.model === "told" && one.tools.length > 0);
    expect(asked?.system).toContain("<how_to_work>");
    expect(asked?.system).toContain("<skills>");
    expect(asked?.tools[0]).toBe("execute_bash");
    expect(asked?.tools).not.toContain("run_agent");
    const listed = await fetch(`${own.cove.url}/tools`, {
      headers: { authorization: `Bearer ${caller.token}` },
    });
    const { tools } = (await listed.json()) as { tools: { name: string }[] };
    expect(asked?.tools).toEqual(tools.map(({ name }) => name).filter((name) => name !== "run_agent"));
  });

  test("holds earlier turns with what was run in them", async () => {
    const { chat } = await ask("bash", "echo remembered-$((40+2))");
    await ada.ask(chat, "!echo by-hand", {});
    await ada.ask(chat, "and now?", { model: "local/echo" });
    const asked = model.asked.findLast(({ question }) => question === "and now?");
    expect(JSON.stringify(asked?.body.messages)).toContain("remembered-42");
    expect(JSON.stringify(asked?.body.messages)).toContain("by-hand");
  });

  test("has a skill as soon as somebody wrote it", async () => {
    await ask("told", "before", "local");
    const content = "---\nname: brand-new\ndescription: Written a moment ago.\n---\nHello.\n";
    await caller.execute("write_file", { file_path: ".agents/skills/brand-new/SKILL.md", content });
    await ask("told", "after", "local");
    const systemOf = (question: string) =>
      model.asked.findLast((one) => one.question === question && one.tools.length > 0)?.system;
    expect(systemOf("before")).not.toContain("brand-new");
    expect(systemOf("after")).toContain("brand-new");
  });

  test("by Gemini's protocol, thoughts keep their signatures, within a turn and in the next", async () => {
    const { chat, answer } = await ask("bash", "echo signed", "google");
    expect(textOf(answer)).toContain("signed");
    await ada.ask(chat, "echo next", { model: "google/gemini-bash" });
    const signed = model.asked.filter(({ body }) => JSON.stringify(body).includes(SIGNATURE));
    expect(signed.map(({ question }) => question)).toEqual(
      expect.arrayContaining(["echo signed", "echo next"]),
    );
  });

  test("goes to OpenAI itself under its own name", async () => {
    model.script("gpt-scripted", { text: "from openai" });
    const { answer } = await ask("gpt-scripted", "hello", "openai");
    expect(textOf(answer)).toBe("from openai");
  });
});

describe.each(["local", "google"])("a model that misbehaves, by the protocol of %s,", (provider) => {
  test.each<[string, RegExp, Reply]>([
    ["is overloaded", /limits how often/, { status: 429, headers: { "retry-after-ms": "5" } }],
    ["fails", /failed \(500\)/, { status: 500, headers: { "retry-after-ms": "5" } }],
    ["refuses the request", /refused the request \(400\)/, { status: 400 }],
    ["refuses the key", /refused the API key/, { status: 401 }],
    ["refuses it as Google does", /refused the API key/, { status: 400, error: WRONG_GOOGLE_KEY }],
    ["breaks off", /broke off|can't be reached/, { text: ["Half an ", "answer"], breaks: "cut" }],
    ["trails off", /broke off/, { text: ["Half an ", "answer"], breaks: "trail off" }],
    ["talks nonsense", /answer|reached|proper/, { text: ["Half an ", "answer"], breaks: "garbage" }],
  ])("and %s leaves a sentence and what it had said", async (what, sentence, reply) => {
    await leavesSentence(`bad ${what}`, sentence, reply);
  });

  test("and falls silent, or never begins, is given up", async () => {
    const late = /did not answer in time/;
    await Promise.all([
      leavesSentence("bad silent", late, { text: ["Half an ", "answer"], breaks: "stall" }),
      leavesSentence("bad never", late, { breaks: "stall" }),
    ]);
  });

  async function leavesSentence(name: string, sentence: RegExp, reply: Reply): Promise<void> {
    const { answer, chat } = await ask(name.replaceAll(" ", "-"), "hello", provider, reply);
    expect(answer.metadata?.status).toBe("failed");
    expect(answer.metadata?.error).toMatch(sentence);
    if (reply.text) expect(textOf(answer)).toBe("Half an answer");
    // The conversation is not lost: the next turn works.
    expect((await ada.ask(chat, "again", { model: "local/echo" })).end).toMatchObject({ status: "done" });
  }
});

describe("a model that misbehaves", () => {
  test("and calls badly is told so, and may do better", async () => {
    const { answer } = await ask(
      "clumsy",
      "go",
      "local",
      { calls: [{ name: "execute_bash", arguments: '{"command": "echo' }] },
      { calls: [{ name: "execute_bash", arguments: { cmd: "echo" } }] },
      { calls: [{ name: "no_such_tool", arguments: {} }] },
      bash("echo right"),
      ({ results }) => ({ text: results.join("|") }),
    );
    expect(answer.metadata?.status).toBe("done");
    expect(textOf(answer)).toContain("execute_bash: command");
    expect(textOf(answer)).toMatch(/right$/);
  });

  test("and calls without end is asked to sum up at the last step", async () => {
    const { answer } = await ask("endless", "go", "local", ({ body, results }) =>
      body.tool_choice === "none" ? { text: `Summed up after ${results.length}.` } : bash("true"),
    );
    expect(textOf(answer)).toBe("Summed up after 5.");
  });

  test("and spends too much is stopped at the limit", async () => {
    const spend = { ...bash("true"), usage: { input: 4000, output: 500 } };
    const { answer } = await ask("spender", "go", "local", spend);
    expect(answer.metadata).toMatchObject({ status: "stopped", error: /limit of 5000 tokens/ });
  });
});

describe("while the model thinks", () => {
  test("the sandbox is opened", async () => {
    const eve = await newWebPerson(own.cove);
    const state = async () => (await eve.call("GET", "/api/sandbox")).body.state;
    expect(await state()).not.toBe("active");
    // It only talks, slowly: nothing else needs a sandbox.
    model.script("thoughtful", { text: Array.from({ length: 12 }, () => "Well… "), delayMs: 9_000 });
    const chat = await eve.newChat();
    const turn = { text: "hello", model: "local/thoughtful" };
    await eve.call("POST", `/api/conversations/${chat}/turns`, turn);
    await expect.poll(state, { timeout: 100_000 }).toBe("active");
    expect((await eve.open(chat)).running).not.toBeNull();
    await eve.call("POST", `/api/conversations/${chat}/stop`);
  });
});

describe("run_agent", () => {
  test("does the whole task in one call, at the caller's door, and says what it used", async () => {
    const { body, status } = await caller.execute("run_agent", {
      task: "mkdir -p outputs && echo made > outputs/made.txt && cat outputs/made.txt",
      model: "local/bash",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "completed",
      answer: expect.stringContaining("made"),
      model: "local/bash",
      steps: 2,
      input_tokens: 200,
      output_tokens: 20,
    });
    const { db } = await databaseOf(own.cove.dataDir);
    const turns = await db.query.agentTurns.findMany({ where: (turn, { eq }) => eq(turn.userId, ada.id) });
    expect(turns).toContainEqual(expect.objectContaining({ door: "rest", steps: 2, inputTokens: 200 }));
    const runs = await db.query.executions.findMany({ where: (run, { eq }) => eq(run.userId, ada.id) });
    const ofRest = runs.filter(({ door }) => door === "rest").map(({ tool, status: how }) => [tool, how]);
    expect(ofRest).toEqual(
      expect.arrayContaining([
        ["run_agent", "completed"],
        ["execute_bash", "completed"],
      ]),
    );
  });

  test("fails with a sentence, and not at all without a task", async () => {
    model.script("down", { status: 500, headers: { "retry-after-ms": "5" } });
    const { body } = await caller.execute("run_agent", { task: "x", model: "local/down" });
    expect(body).toMatchObject({ status: "failed", stderr: expect.stringContaining("failed (500)") });
    expect((await caller.execute("run_agent", {})).status).toBe(400);
    expect((await caller.execute("run_agent", { task: "x", model: "nobody/none" })).status).toBe(404);
  });

  test("that is handed over keeps its whole answer for whoever asks later", async () => {
    const { execution_id, ...handle } = await long;
    expect(handle).toMatchObject({ status: "running", answer: "" });
    const check = () =>
      client.callTool({ name: "check_execution", arguments: { execution_id } }, { timeout: 120_000 });
    await expect
      .poll(async () => ((await check()).structuredContent as { status: string }).status, {
        timeout: 120_000,
      })
      .toBe("completed");
    const { structuredContent, content } = await check();
    expect(structuredContent).toMatchObject({
      execution_id,
      answer: expect.stringMatching(/^word0 .*word24 $/),
      model: "local/slowly",
      steps: 2,
      input_tokens: 200,
      output_tokens: 20,
      artifacts: [{ path: expect.stringMatching(/kept\.txt$/), url: expect.stringMatching(/^http/) }],
    });
    expect(content).toMatchObject([{ type: "text", text: expect.stringMatching(/word24.*kept\.txt/s) }]);
  });
});
