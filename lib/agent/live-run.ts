// A tool's run as it happens: what it has printed so far, now and then, and its result at the end.
import { runTool, type ToolCall, type ToolResult } from "../executions/run-tool.ts";

/** What a card shows while its program runs: the end of what was printed. */
interface LiveOutput {
  status: "running";
  stdout: string;
  stderr: string;
}

export interface LiveRun {
  /** Ends with the run. Nobody needs to read it for the run to go on. */
  updates: AsyncGenerator<LiveOutput>;
  result: Promise<ToolResult>;
}

const TAIL = 16 * 1024;
// A screen need not be redrawn more often than this.
const PACE_MS = 80;

export function liveRun(call: Omit<ToolCall, "onOutput">): LiveRun {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const output: LiveOutput = { status: "running", stdout: "", stderr: "" };
  let wake = () => {};
  let news = false;
  let ended = false;
  const result = runTool({
    ...call,
    onOutput({ stream, data }) {
      output[stream] = tail(output[stream] + decoders[stream].decode(data, { stream: true }));
      news = true;
      wake();
    },
  }).finally(() => {
    ended = true;
    wake();
  });
  const over = result.then(
    () => undefined,
    () => undefined,
  );

  async function* updates() {
    while (!ended) {
      if (!news) await new Promise<void>((resolve) => (wake = resolve));
      if (ended) return;
      news = false;
      yield { ...output };
      await Promise.race([over, pause(PACE_MS)]);
    }
  }

  return { updates: updates(), result };
}

/** The whole lines at the end, no more than fits. */
function tail(text: string): string {
  if (text.length <= TAIL) return text;
  const end = text.slice(-TAIL);
  const line = end.indexOf("\n");
  return line >= 0 && line < TAIL / 2 ? end.slice(line + 1) : end;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
