import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { longConversation } from "../support/long-conversation.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { newWebPerson, textOf, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
const own = ownCove({ COVE_MODEL_ALLOW: new URL(model.openai).host, COVE_MODEL: "local/echo" });
let ada: WebPerson;

beforeAll(async () => {
  ada = await person(model);
});

afterAll(() => model.close());

/** Somebody who brought a key of their own. */
async function person({ openai, key }: ModelServer): Promise<WebPerson> {
  const made = await newWebPerson(own.cove);
  await made.call("PUT", "/api/model-keys/local", { key, baseUrl: openai });
  return made;
}

describe("without a model", () => {
  test("words are refused with the way to connect one, and nothing is written down", async () => {
    const bob = await newWebPerson(own.cove);
    expect((await bob.call("GET", "/api/models")).body).toMatchObject({ models: [], default: null });
    const chat = await bob.newChat();
    const refused = await bob.call("POST", `/api/conversations/${chat}/turns`, { text: "Plot a sine" });
    expect(refused).toMatchObject({ status: 400, body: { error: { message: /Settings → Models/ } } });
    expect((await bob.open(chat)).messages).toEqual([]);
  });

  test("commands and Python run straight in the sandbox, on record like any turn", async () => {
    const bob = await newWebPerson(own.cove);
    const chat = await bob.newChat();
    const bash = await bob.ask(chat, "!echo hi; echo oops >&2; exit 3");
    expect(bash.answer.parts).toMatchObject([
      {
        type: "dynamic-tool",
        toolName: "execute_bash",
        input: { command: "echo hi; echo oops >&2; exit 3" },
        output: { status: "failed", exit_code: 3, stdout: "hi\n", stderr: "oops\n" },
      },
    ]);
    expect(bash.end).toMatchObject({ status: "done" });
    await bob.ask(chat, ">>> x = 20");
    const python = await bob.ask(chat, "```python\nx + 22\n```");
    expect(python.answer.parts).toMatchObject([
      { toolName: "execute_python", output: { results: [{ mime: "text/plain", text: "42" }] } },
    ]);
    expect((await bob.open(chat)).title).toBe("!echo hi; echo oops >&2; exit 3");
  });
});

describe("a file", () => {
  const attach = async (chat: string, name: string, body: string) => {
    const sent = await ada.send(`/api/conversations/${chat}/files?name=${name}`, { method: "POST", body });
    return ((await sent.json()) as { path: string }).path;
  };

  test("needs no words, and the model is told where it is", async () => {
    const chat = await ada.newChat();
    const path = await attach(chat, "alone.csv", "a,b\n");
    const { answer } = await ada.ask(chat, "", { files: [path] });
    expect(textOf(answer)).toBe(`You said: Attached file: ${path}`);
  });

  test("may come with a program, which runs as it is", async () => {
    const chat = await ada.newChat();
    const path = await attach(chat, "beside.txt", "beside\n");
    const { answer, question } = await ada.ask(chat, `!cat ${path}`, { files: [path] });
    expect(answer.parts).toMatchObject([{ toolName: "execute_bash", output: { stdout: "beside\n" } }]);
    expect(question.parts).toMatchObject([{ type: "data-file", data: { path } }, { type: "text" }]);
  });
});

test("a long conversation comes from its end, page by page, and is exported whole", async () => {
  const chat = await longConversation(own.cove.dataDir, ada.id, 70);
  const open = async (before = "") =>
    (await ada.call("GET", `/api/conversations/${chat}?before=${before}`)).body;
  const pages = [await open()];
  while (pages[0].earlier) pages.unshift(await open(pages[0].messages[0].id));
  expect(pages.map(({ messages }) => messages.length)).toEqual([10, 10, 10, 10, 30]);
  const ids = pages.flatMap(({ messages }) => messages.map(({ id }: { id: string }) => id));
  expect(new Set(ids).size).toBe(70);
  expect(ids).toEqual(ids.toSorted());
  const exported = await (await ada.send(`/api/conversations/${chat}/export`)).text();
  expect(exported).toContain("Question number 0:");
  expect(exported).toContain("Answer number 69");
});

describe("a turn", () => {
  test("is streamed, kept, counted and given a title", async () => {
    const chat = await ada.newChat();
    const { chunks, end, answer, question } = await ada.ask(chat, "hello \0 there \ud800!");
    expect(textOf(question)).toBe("hello \0 there \ud800!");
    expect(textOf(answer)).toContain("You said: hello");
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(end).toMatchObject({ status: "done", model: "local/echo", inputTokens: 100, outputTokens: 10 });
    await expect.poll(async () => (await ada.open(chat)).title, { timeout: 30_000 }).toBe("A scripted title");
  });

  test("shows output while its program runs, to everybody who looks, from wherever they were", async () => {
    const chat = await ada.newChat();
    const command = "echo first; until [ -e go ]; do sleep 0.1; done; rm go; echo second";
    const { body } = await ada.call("POST", `/api/conversations/${chat}/turns`, {
      text: command,
      model: "local/bash",
    });
    const { id } = body.assistantMessage;
    const printed = (heard: { chunks: unknown[] }) => JSON.stringify(heard.chunks).includes('"first\\n"');
    const early = await ada.follow(chat, id, { until: printed });
    expect(early.end).toBeUndefined();
    expect(await ada.open(chat)).toMatchObject({ running: { messageId: id } });
    expect((await ada.call("GET", "/api/conversations")).body.conversations[0]).toMatchObject({
      running: true,
    });

    const others = [ada.follow(chat, id), ada.follow(chat, id, { after: early.chunks.at(-1)?.seq ?? 0 })];
    await ada.ask(await ada.newChat(), "!touch go");
    const [whole, rest] = await Promise.all(others);
    expect(whole?.end).toMatchObject({ status: "done" });
    expect(rest?.end).toEqual(whole?.end);
    expect(rest?.chunks[0]?.seq).toBeGreaterThan(early.chunks.at(-1)?.seq ?? 0);
    const final = [...early.chunks, ...(rest?.chunks ?? [])].filter((chunk) => !("preliminary" in chunk));
    expect(final.map(({ type }) => type)).toEqual(
      whole?.chunks.filter((chunk) => !("preliminary" in chunk)).map(({ type }) => type),
    );
    expect(await ada.open(chat)).toMatchObject({ running: null });
  });

  test("goes on when nobody looks", async () => {
    const chat = await ada.newChat();
    await ada.call("POST", `/api/conversations/${chat}/turns`, { text: "!sleep 0.5; echo late" });
    await expect
      .poll(async () => JSON.stringify((await ada.open(chat)).messages.at(-1)), { timeout: 30_000 })
      .toContain('"stdout":"late\\n"');
  });

  test("that is stopped ends its program at once and keeps what was printed", async () => {
    const chat = await ada.newChat();
    const text = "echo begun; sleep 987";
    const { body } = await ada.call("POST", `/api/conversations/${chat}/turns`, {
      text,
      model: "local/bash",
    });
    const { id } = body.assistantMessage;
    await ada.follow(chat, id, { until: (heard) => JSON.stringify(heard.chunks).includes("begun\\n") });
    expect((await ada.call("POST", `/api/conversations/${chat}/stop`)).body).toEqual({ stopped: true });
    const { messages, running } = await ada.open(chat);
    expect(running).toBeNull();
    expect(messages.at(-1)?.metadata).toMatchObject({ status: "stopped" });
    expect(messages.at(-1)?.parts.find((part) => part.type === "dynamic-tool")).toMatchObject({
      state: "output-available",
      output: { status: "cancelled", stdout: "begun\n" },
    });
    const left = await ada.ask(chat, "!pgrep -f 'sleep 98[7]' || echo nobody");
    expect(left.answer.parts).toMatchObject([{ output: { stdout: "nobody\n" } }]);
    expect((await ada.call("POST", `/api/conversations/${chat}/stop`)).body).toEqual({ stopped: false });
  });

  test("that is stopped ends its model at once", async () => {
    const chat = await ada.newChat();
    const { body } = await ada.call("POST", `/api/conversations/${chat}/turns`, {
      text: "go",
      model: "local/slow",
    });
    const { id } = body.assistantMessage;
    const heard = await ada.follow(chat, id, {
      until: ({ chunks }) => JSON.stringify(chunks).includes("word2"),
    });
    expect(JSON.stringify(heard.chunks)).not.toContain("word199");
    await ada.call("POST", `/api/conversations/${chat}/stop`);
    await expect.poll(() => model.open(), { timeout: 30_000 }).toBe(0);
    const answer = (await ada.open(chat)).messages.at(-1);
    expect(answer?.metadata).toMatchObject({ status: "stopped" });
    expect(answer && textOf(answer)).toContain("word2");
  });

  test("holds its conversation: another has to wait, other conversations don't", async () => {
    const chat = await ada.newChat();
    await ada.call("POST", `/api/conversations/${chat}/turns`, { text: "go", model: "local/slow" });
    const second = await ada.call("POST", `/api/conversations/${chat}/turns`, { text: "me too" });
    expect(second).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    expect((await ada.call("POST", `/api/conversations/${chat}/regenerate`, {})).status).toBe(409);
    expect((await ada.ask(await ada.newChat(), "elsewhere")).end).toMatchObject({ status: "done" });
    await ada.call("POST", `/api/conversations/${chat}/stop`);
    expect((await ada.ask(chat, "now")).end).toMatchObject({ status: "done" });
  });

  test("can be asked again, as it was or otherwise; what followed goes", async () => {
    const chat = await ada.newChat();
    const first = await ada.ask(chat, "one");
    await ada.ask(chat, "two");
    const again = await ada.call("POST", `/api/conversations/${chat}/regenerate`, {});
    expect(again.status).toBe(202);
    await ada.follow(chat, again.body.assistantMessage.id);
    expect((await ada.open(chat)).messages.map(textOf)).toEqual([
      "one",
      "You said: one",
      "two",
      "You said: two",
    ]);
    await ada.ask(chat, "three", { replaces: first.question.id });
    expect((await ada.open(chat)).messages.map(textOf)).toEqual(["three", "You said: three"]);
    const gone = await ada.call("POST", `/api/conversations/${chat}/turns`, {
      text: "four",
      replaces: first.question.id,
    });
    expect(gone.status).toBe(404);
  });
});
