import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { startModelServer } from "../support/model-server.ts";

const model = await startModelServer();
const own = ownCove({ OPENAI_BASE_URL: model.openai, OPENAI_API_KEY: model.key });
let ada: Caller;
let client: OpenAI;

beforeAll(async () => {
  ada = await own.caller();
  client = clientOf(ada.token);
});

afterAll(() => model.close());

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${own.cove.url}/v1`, maxRetries: 0 });
}

const user = (content: string) => ({ role: "user" as const, content });

describe("the official client", () => {
  test("lists what is reachable", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["local/echo", "local/bash"]));
  });

  test("gets an answer that code was run for, and what it used", async () => {
    const completion = await client.chat.completions.create({
      model: "local/bash",
      messages: [user("echo $((6 * 7))")],
    });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant", content: expect.stringContaining("42") },
    });
    expect(completion.usage).toEqual({ prompt_tokens: 200, completion_tokens: 20, total_tokens: 220 });
    expect(completion).toMatchObject({
      object: "chat.completion",
      model: "local/bash",
      cove: {
        activity: [
          { type: "tool_call", name: "execute_bash", arguments: { command: "echo $((6 * 7))" } },
          { type: "tool_result", name: "execute_bash", result: { stdout: "42\n" } },
        ],
      },
    });
  });

  test("hears it piece by piece, the tools' doings beside the text", async () => {
    const stream = await client.chat.completions.create({
      model: "local/bash",
      messages: [user("echo one; sleep 0.5; echo two")],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const activity: string[] = [];
    const finished: unknown[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      if (chunk.choices[0]?.finish_reason) finished.push(chunk.choices[0].finish_reason);
      if ("cove" in chunk) activity.push((chunk.cove as { type: string }).type);
      usage = chunk.usage ?? usage;
    }
    expect(text).toContain("one\ntwo");
    expect(activity[0]).toBe("tool_call");
    expect(activity).toContain("tool_output");
    expect(activity.at(-1)).toBe("tool_result");
    expect(finished).toEqual(["stop"]);
    expect(usage).toMatchObject({ prompt_tokens: 200, total_tokens: 220 });
  });

  test("hears how much of the limit is left", async () => {
    const { response } = await client.chat.completions
      .create({ model: "local/echo", messages: [user("hi")], stream: true })
      .withResponse();
    expect(response.headers.get("ratelimit")).toMatch(/^"calls";r=\d+;t=\d+$/);
    await response.body?.cancel();
  });

  test("has a helper that puts the stream together", async () => {
    const runner = client.chat.completions.stream({ model: "local/echo", messages: [user("helper")] });
    expect(await runner.finalContent()).toBe("You said: helper");
  });

  test("sends its settings and the whole conversation on to the model", async () => {
    await client.chat.completions.create({
      model: "local/echo",
      messages: [
        { role: "system", content: "Answer in French." },
        user("first"),
        { role: "assistant", content: "premier" },
        { role: "user", content: [{ type: "text", text: "second" }] },
      ],
      temperature: 0.25,
      max_tokens: 77,
      stop: ["END"],
      user: "somebody-else",
    });
    const asked = model.asked.findLast(({ question }) => question === "second");
    expect(asked?.body).toMatchObject({ temperature: 0.25, max_tokens: 77, stop: ["END"] });
    expect(asked?.system).toContain("<how_to_work>");
    expect(asked?.system).toContain("Answer in French.");
    expect(JSON.stringify(asked?.body.messages)).toContain("premier");
    expect(JSON.stringify(asked?.body)).not.toContain("somebody-else");
  });

  test("that aborts stops its model, and its program", async () => {
    const leaving = new AbortController();
    await client.chat.completions.create(
      { model: "local/bash", messages: [user("touch running; sleep 876")], stream: true },
      { signal: leaving.signal },
    );
    const running = async () =>
      (await ada.execute("execute_bash", { command: "pgrep -fc 'sleep 87[6]'" })).body;
    await expect.poll(async () => (await running()).stdout, { timeout: 60_000 }).not.toBe("0\n");
    leaving.abort();
    await expect.poll(async () => (await running()).stdout, { timeout: 60_000 }).toBe("0\n");

    const slow = new AbortController();
    const whole = client.chat.completions.create(
      { model: "local/slow", messages: [user("go")] },
      { signal: slow.signal },
    );
    await expect.poll(() => model.open(), { timeout: 60_000 }).toBeGreaterThan(0);
    slow.abort();
    await expect(whole).rejects.toThrow(OpenAI.APIUserAbortError);
    await expect.poll(() => model.open(), { timeout: 60_000 }).toBe(0);
  });
});

describe("what goes wrong", () => {
  const ask = (name: string, more: object = {}) =>
    client.chat.completions.create({ model: name, messages: [user("hi")], ...more });

  test("a bad token is an AuthenticationError", async () => {
    await expect(clientOf("cove_nope").models.list()).rejects.toThrow(OpenAI.AuthenticationError);
    const none = await fetch(`${own.cove.url}/v1/models`);
    expect(none.status).toBe(401);
    expect(await none.json()).toMatchObject({
      error: { code: "invalid_api_key", message: expect.any(String) },
    });
  });

  test("an address or a method that isn't there is told in the same shape", async () => {
    const authorization = `Bearer ${ada.token}`;
    const unknown = await fetch(`${own.cove.url}/v1/embeddings`, {
      method: "POST",
      headers: { authorization },
    });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { type: "invalid_request_error", code: "unknown_url", message: expect.any(String) } },
    ]);
    const wrong = await fetch(`${own.cove.url}/v1/chat/completions`, { headers: { authorization } });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await wrong.json()).toMatchObject({ error: { type: "invalid_request_error" } });
    const clientSays = await client.embeddings.create({ model: "x", input: "y" }).catch((error) => error);
    expect(clientSays).toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("an unknown model is a NotFoundError", async () => {
    await expect(ask("nobody/none")).rejects.toThrow(OpenAI.NotFoundError);
  });

  test.each([
    ["no messages", { messages: [] }],
    ["tools of one's own", { tools: [{ type: "function", function: { name: "x" } }] }],
    ["a tool's answer", { messages: [{ role: "tool", tool_call_id: "x", content: "y" }] }],
    ["two answers", { n: 2 }],
    ["a temperature of 3", { temperature: 3 }],
    ["a picture somewhere else", pictureAt("http://127.0.0.1/x.png")],
  ])("%s is a BadRequestError that names the field", async (_what, more) => {
    const error = await ask("local/echo", more).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error.param).toBeTruthy();
  });

  test("a picture in the message reaches the model", async () => {
    const dot = "data:image/png;base64,iVBORw0KGgo=";
    await ask("local/echo", pictureAt(dot));
    expect(JSON.stringify(model.asked.at(-1)?.body)).toContain("iVBORw0KGgo=");
  });

  test("an upstream limit is a RateLimitError, streamed or not", async () => {
    model.script("limited", { status: 429, headers: { "retry-after-ms": "5" } });
    await expect(ask("local/limited")).rejects.toThrow(OpenAI.RateLimitError);
    await expect(ask("local/limited", { stream: true })).rejects.toThrow(OpenAI.RateLimitError);
  });

  test("an answer that breaks off in the middle is an error, not an end", async () => {
    model.script("cut", { text: ["Half an ", "answer"], breaks: "cut" });
    const stream = await client.chat.completions.create({
      model: "local/cut",
      messages: [user("hi")],
      stream: true,
    });
    let text = "";
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    })();
    await expect(reading).rejects.toThrow(OpenAI.APIError);
    expect(text).toBe("Half an answer");
  });

  function pictureAt(url: string) {
    return { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] };
  }
});
