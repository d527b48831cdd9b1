import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertConversation } from "#db/queries/conversations.ts";
import { replaceMessages } from "#db/queries/messages.ts";
import { ownCove } from "../support/caller.ts";
import { startModelServer } from "../support/model-server.ts";
import { databaseOf } from "../support/people.ts";
import { newWebPerson, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
const own = ownCove({ OPENAI_BASE_URL: model.openai, OPENAI_API_KEY: model.key, COVE_MODEL: "local/echo" });
let ada: WebPerson;

beforeAll(async () => {
  ada = await newWebPerson(own.cove);
});

afterAll(() => model.close());

async function titles(query = ""): Promise<string[]> {
  const { body } = await ada.call("GET", `/api/conversations${query}`);
  return body.conversations.map(({ id }: { id: string }) => id);
}

describe("the list", () => {
  test("has those in which something was said, the newest first, page by page", async () => {
    const bob = await newWebPerson(own.cove);
    await bob.newChat();
    const { db } = await databaseOf(own.cove.dataDir);
    const chats: string[] = [];
    for (let n = 0; n < 42; n++) {
      const chat = await insertConversation(db, bob.id);
      const said = { role: "user", status: "done", parts: "[]", body: `message ${n}` };
      await replaceMessages(db, bob.id, chat, { add: [{ id: randomUUID(), ...said }] });
      chats.unshift(chat);
    }
    const first = (await bob.call("GET", "/api/conversations")).body;
    const second = (await bob.call("GET", `/api/conversations?cursor=${first.next}`)).body;
    const ids = [...first.conversations, ...second.conversations].map(({ id }) => id);
    expect(ids).toEqual(chats);
    expect(second.next).toBeNull();
    expect((await bob.call("GET", "/api/conversations?cursor=nonsense")).status).toBe(400);
  });

  test("is searched by title and contents, output included", async () => {
    const word = `w${randomUUID()}`;
    const said = await ada.newChat();
    await ada.ask(said, `please remember ${word} for me`);
    const printed = await ada.newChat();
    await ada.ask(printed, `!printf 'aaa %s' ${word.slice(0, 10)}$(echo ${word.slice(10)})`);
    const renamed = await ada.newChat();
    await ada.ask(renamed, "something else");
    await ada.call("PATCH", `/api/conversations/${renamed}`, { title: `About ${word.toUpperCase()}` });
    expect(new Set(await titles(`?q=${word}`))).toEqual(new Set([said, printed, renamed]));
    const { body } = await ada.call("GET", `/api/conversations?q=${word}`);
    const found = body.conversations.find(({ id }: { id: string }) => id === said);
    expect(found.snippet).toContain(word);
    expect(await titles("?q=100%25_\\nothing")).toEqual([]);
  });

  test("a deleted conversation is gone, and comes back when that was a mistake", async () => {
    const chat = await ada.newChat();
    await ada.ask(chat, "keep me");
    expect((await ada.call("DELETE", `/api/conversations/${chat}`)).status).toBe(200);
    expect(await titles()).not.toContain(chat);
    expect((await ada.call("GET", `/api/conversations/${chat}`)).status).toBe(404);
    expect((await ada.call("POST", `/api/conversations/${chat}/turns`, { text: "hi" })).status).toBe(404);
    expect((await ada.call("POST", `/api/conversations/${chat}/restore`)).status).toBe(200);
    expect(await titles()).toContain(chat);
  });

  test("a conversation can be taken along as Markdown", async () => {
    const chat = await ada.newChat();
    await ada.ask(chat, "!echo 'a ``` fence'");
    await ada.call("PATCH", `/api/conversations/${chat}`, { title: "Été & more" });
    const response = await ada.send(`/api/conversations/${chat}/export`);
    expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''%C3%89t%C3%A9-more.md");
    const markdown = await response.text();
    expect(markdown).toContain("# Été & more\n");
    expect(markdown).toContain("```bash\necho 'a ``` fence'\n".replace("```bash", "````bash"));
    expect(markdown).toContain("````\na ``` fence\n````");
  });
});

describe("an attached file", () => {
  async function attach(chat: string, name: string, body: BodyInit) {
    const path = `/api/conversations/${chat}/files?name=${encodeURIComponent(name)}`;
    const response = await ada.send(path, { method: "POST", body });
    return { status: response.status, body: await response.json() };
  }

  test("lands in the workspace under a name of its own, and the agent knows of it", async () => {
    const chat = await ada.newChat();
    const first = await attach(chat, "../data set.csv", "a,b\n1,2\n");
    expect(first).toEqual({ status: 200, body: { path: "/workspace/uploads/data_set.csv", size: 8 } });
    const second = await attach(chat, "data set.csv", "c\n");
    expect(second.body.path).toBe("/workspace/uploads/data_set-1.csv");
    const asked = await ada.ask(chat, "What is in it?", { files: [first.body.path] });
    expect(asked.question.parts).toMatchObject([
      { type: "data-file", data: { path: first.body.path } },
      { type: "text" },
    ]);
    expect(model.asked.some(({ question }) => question.includes("/workspace/uploads/data_set.csv"))).toBe(
      true,
    );
    const read = await ada.ask(chat, "!cat uploads/data_set.csv uploads/data_set-1.csv");
    expect(read.answer.parts).toMatchObject([{ output: { stdout: "a,b\n1,2\nc\n" } }]);
  });

  test("of ten megabytes passes whole", async () => {
    const chat = await ada.newChat();
    const size = 10 * 2 ** 20 + 7;
    expect((await attach(chat, "big.bin", new Uint8Array(size).fill(7))).body.size).toBe(size);
  });

  test.each([["/etc/passwd"], ["/workspace/uploads/../x"], ["/workspace/uploads/a\nb"]])(
    "%j is not one",
    async (path) => {
      const chat = await ada.newChat();
      const refused = await ada.call("POST", `/api/conversations/${chat}/turns`, {
        text: "x",
        files: [path],
      });
      expect(refused.status).toBe(400);
    },
  );
});

describe("somebody else", () => {
  const routes = (message: string): [string, string, unknown?][] => [
    ["GET", ""],
    ["PATCH", "", { title: "mine now" }],
    ["DELETE", ""],
    ["POST", "/restore"],
    ["GET", "/export"],
    ["POST", "/turns", { text: "!id" }],
    ["POST", "/regenerate", {}],
    ["GET", `/stream?message=${message}`],
    ["POST", "/stop"],
    ["POST", "/files?name=x"],
  ];

  test("finds nothing of it, at any of its addresses", async () => {
    const chat = await ada.newChat();
    const { answer } = await ada.ask(chat, "private");
    const bob = await newWebPerson(own.cove);
    const his = await bob.newChat();
    for (const [method, path, body] of routes(answer.id)) {
      for (const id of [chat, "not-an-id", randomUUID()]) {
        const { status } = await bob.call(method, `/api/conversations/${id}${path}`, body);
        expect([method, path, id, status]).toEqual([method, path, id, 404]);
      }
    }
    // Nor through a conversation of their own.
    const elsewhere = await bob.call("GET", `/api/conversations/${his}/stream?message=${answer.id}`);
    expect(elsewhere.status).toBe(404);
    expect((await ada.open(chat)).messages).toHaveLength(2);
  });
});
