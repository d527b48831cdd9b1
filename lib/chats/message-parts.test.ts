import { readUIMessageStream, type UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { MessageParts } from "./message-parts.ts";

const call = { toolCallId: "c1", toolName: "execute_bash", dynamic: true } as const;
const signature = { google: { thoughtSignature: "c2ln" } };

const turn: UIMessageChunk[] = [
  { type: "start-step" },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "Let me " },
  { type: "reasoning-delta", id: "0", delta: "see." },
  { type: "reasoning-end", id: "0", providerMetadata: signature },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "I look." },
  { type: "text-end", id: "0" },
  { type: "tool-input-start", ...call },
  { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"command":"ls"}' },
  { type: "tool-input-available", ...call, input: { command: "ls" }, providerMetadata: signature },
  {
    type: "tool-output-available",
    toolCallId: "c1",
    output: { status: "running" },
    preliminary: true,
    dynamic: true,
  },
  { type: "tool-output-available", toolCallId: "c1", output: { status: "completed" }, dynamic: true },
  { type: "finish-step" },
  { type: "start-step" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Done." },
  { type: "text-end", id: "0" },
  { type: "tool-input-available", ...call, toolCallId: "c2", input: {} },
  { type: "tool-output-error", toolCallId: "c2", errorText: "Refused.", dynamic: true },
  { type: "finish-step" },
];

test("what is kept is what a page puts together from the same stream", async () => {
  const assembled = new MessageParts();
  for (const chunk of turn) assembled.add(chunk);
  let page: unknown;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of turn) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream })) page = message.parts;
  expect(JSON.parse(JSON.stringify(assembled.parts))).toEqual(JSON.parse(JSON.stringify(page)));
});

test("a thought's signature is kept with the call it belongs to", () => {
  const assembled = new MessageParts();
  for (const chunk of turn) assembled.add(chunk);
  expect(assembled.parts.find((part) => part.type === "dynamic-tool")).toMatchObject({
    callProviderMetadata: signature,
  });
});

test("a call without its result counts as unfinished, until it has one", () => {
  const assembled = new MessageParts();
  for (const chunk of turn.slice(0, 12)) assembled.add(chunk);
  expect(assembled.unfinished()).toMatchObject([{ toolCallId: "c1" }]);
  for (const chunk of turn.slice(12)) assembled.add(chunk);
  expect(assembled.unfinished()).toEqual([]);
});

test("chunks that belong to nothing are passed over", () => {
  const assembled = new MessageParts();
  assembled.add({ type: "text-delta", id: "9", delta: "lost" });
  assembled.add({ type: "tool-output-available", toolCallId: "nobody", output: {} });
  assembled.add({ type: "finish" });
  expect(assembled.parts).toEqual([]);
});
