import type { UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import type { ChatMessage, ChatMetadata } from "#lib/chats/chat-message.ts";
import { MessageBuilder } from "./message-builder.ts";

const EMPTY: ChatMessage = {
  id: "m",
  role: "assistant",
  parts: [],
  metadata: { status: "running", createdAt: "2026-11-16T12:00:00Z" },
};

function build(...chunks: UIMessageChunk<ChatMetadata>[]): ChatMessage {
  const builder = new MessageBuilder(EMPTY);
  for (const chunk of chunks) builder.apply(chunk);
  return builder.message;
}

test("text grows in the part it belongs to, whatever else comes between", () => {
  const { parts } = build(
    { type: "start" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hel" },
    { type: "reasoning-start", id: "1" },
    { type: "reasoning-delta", id: "1", delta: "hm" },
    { type: "text-delta", id: "1", delta: "lo" },
    { type: "text-end", id: "1" },
    { type: "text-delta", id: "unknown", delta: "lost" },
  );
  expect(parts).toEqual([
    { type: "text", text: "Hello", state: "done" },
    { type: "reasoning", id: "1", text: "hm", state: "streaming" },
  ]);
});

test("a tool call is seen while it is written, while it runs, and when it has ended", () => {
  const written: UIMessageChunk<ChatMetadata>[] = [
    { type: "tool-input-start", toolCallId: "t", toolName: "execute_python", dynamic: true },
    { type: "tool-input-delta", toolCallId: "t", inputTextDelta: '{"code": "print(' },
  ];
  expect(build(...written).parts[0]).toMatchObject({ state: "input-streaming", input: { code: "print(" } });
  const running: UIMessageChunk<ChatMetadata>[] = [
    ...written,
    {
      type: "tool-input-available",
      toolCallId: "t",
      toolName: "execute_python",
      input: { code: "print(1)" },
    },
    { type: "tool-output-available", toolCallId: "t", output: { stdout: "1" }, preliminary: true },
  ];
  expect(build(...running).parts[0]).toMatchObject({
    toolName: "execute_python",
    input: { code: "print(1)" },
    output: { stdout: "1" },
    preliminary: true,
  });
  const ended = build(...running, {
    type: "tool-output-available",
    toolCallId: "t",
    output: { stdout: "1\n" },
  });
  expect(ended.parts).toHaveLength(1);
  expect(ended.parts[0]).toMatchObject({ state: "output-available", output: { stdout: "1\n" } });
  expect(ended.parts[0]).not.toHaveProperty("preliminary");
});

test("parts that don't change stay the same objects, so that only what changed is drawn again", () => {
  const builder = new MessageBuilder(EMPTY);
  builder.apply({ type: "text-start", id: "1" });
  builder.apply({ type: "text-start", id: "2" });
  const [first] = builder.message.parts;
  builder.apply({ type: "text-delta", id: "2", delta: "x" });
  expect(builder.message.parts[0]).toBe(first);
});

test("metadata is merged", () => {
  const message = build({
    type: "finish",
    messageMetadata: { status: "done", createdAt: "x", model: "local/a" },
  });
  expect(message.metadata).toEqual({ status: "done", createdAt: "x", model: "local/a" });
});
