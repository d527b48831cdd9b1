import { expect, test } from "vitest";
import { readEvents, type ServerEvent } from "./read-events.ts";

async function read(...pieces: string[]): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test("events come out whole, wherever the network cut them", async () => {
  const whole = 'event: stdout\ndata: {"text":"a\\n\\nü"}\n\nevent: result\ndata: {"status":"completed"}\n\n';
  const expected = [
    { name: "stdout", data: { text: "a\n\nü" } },
    { name: "result", data: { status: "completed" } },
  ];
  expect(await read(whole)).toEqual(expected);
  expect(await read(...whole)).toEqual(expected);
});

test("half an event at the end is none", async () => {
  expect(await read("event: stdout\ndata: {}\n\nevent: std")).toEqual([{ name: "stdout", data: {} }]);
});
