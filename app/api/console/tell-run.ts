// A run as events: `started`, `stdout` and `stderr` as they come, then `result`.
import type { CellRun } from "#lib/console/run-cell.ts";

type Send = (event: string, data: unknown) => Promise<void>;
type Listeners = Pick<CellRun, "onStart" | "onOutput">;

export async function tellRun(
  send: Send,
  run: (listeners: Listeners) => Promise<Record<string, unknown>>,
): Promise<void> {
  // A character may be split between two pieces of output.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  // Nobody waits for the reader: output is bounded anyway, and a page that has gone to sleep must not hold up its run.
  const tell = (event: string, data: unknown) => void send(event, data).catch(() => undefined);
  const view = await run({
    onStart: (id) => tell("started", { execution_id: id }),
    onOutput: ({ stream, data }) => tell(stream, { text: decoders[stream].decode(data, { stream: true }) }),
  });
  await send("result", view);
}
