import type { Readable } from "node:stream";

/** What the engine reports while it pulls, imports or builds; every field may be missing. */
export type EngineEvent = { stream?: string; status?: string; id?: string; error?: string };

/** Reads the engine's progress stream, one JSON object a line, to its end. Destroying the stream ends the work. */
export async function* engineEvents(stream: NodeJS.ReadableStream): AsyncGenerator<EngineEvent> {
  let rest = "";
  for await (const chunk of (stream as Readable).setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as EngineEvent;
  }
  if (rest.trim()) yield JSON.parse(rest) as EngineEvent;
}
