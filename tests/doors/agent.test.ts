import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerWith, ownCove } from "../support/caller.ts";
import { SIGNATURE } from "../support/model-server/gemini.ts";
import { type Script, startModelServer } from "../support/model-server.ts";
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
  COVE_AGENT_PATIENCE: "5",
});
let ada: WebPerson;
let caller: Caller;

beforeAll(async () => {
  ada = await newWebPerson(own.cove);
  caller = callerWith(own.cove.url, ada.email, await addToken(own.cove.dataDir, ada.id));
});

afterAll(() => model.close());

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

describe("a model that misbehaves", () => {
  test.each<[string, RegExp, Script[number]]>([
    ["is overloaded", /limits how often/, { status: 429, headers: { "retry-after-ms": "5" } }],
    ["fails", /failed \(500\)/, { status: 500, headers: { "retry-after-ms": "5" } }],
    ["refuses the request", /refused the request \(400\)/, { status: 400 }],
    ["doesn't know the key", /refused the API key/, { status: 401 }],
    ["breaks off", /broke off|can't be reached/, { text: ["Half an ", "answer"], breaks: "cut" }],
    ["trails off", /broke off/, { text: ["Half an ", "answer"], breaks: "trail off" }],
    ["falls silent", /did not answer in time/, { text: ["Half an ", "answer"], breaks: "stall" }],
    ["never begins", /did not answer in time/, { breaks: "stall" }],
    ["talks nonsense", /answer|reached|proper/, { text: ["Half an ", "answer"], breaks: "garbage" }],
  ])("and %s leaves a sentence and what it had said", async (what, sentence, reply) => {
    const { answer, chat } = await ask(`bad ${what}`, "hello", "local", reply);
    expect(answer.metadata?.status).toBe("failed");
    expect(answer.metadata?.error).toMatch(sentence);
    if ("text" in reply) expect(textOf(answer)).toBe("Half an answer");
    // The conversation is not lost: the next turn works.
    expect((await ada.ask(chat, "again", { model: "local/echo" })).end).toMatchObject({ status: "done" });
  });

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
});
