// What a scripted model says, step by step. A step is told from the request alone (how many calls were answered since the
// last question), so a repeated request gets the same reply and tests never take each other's turns.

interface Call {
  name: string;
  /** A string is sent as it is, however malformed. */
  arguments: object | string;
}

export interface Reply {
  /** Streamed piece by piece. */
  text?: string | string[];
  calls?: Call[];
  /** Before the first piece, and between pieces. */
  delayMs?: number;
  /** Answers with this status instead, and with these words if they matter. */
  status?: number;
  error?: object;
  headers?: Record<string, string>;
  /** Says what it has and then: nothing more, ever; a broken connection; an end without a reason; bytes that aren't JSON. */
  breaks?: "stall" | "cut" | "trail off" | "garbage";
  finish?: string;
  usage?: { input: number; output: number };
}

/** What the model was asked, in one shape for both protocols. */
export interface Asked {
  model: string;
  /** The words of the last question. */
  question: string;
  system: string;
  /** What the tools answered since then. */
  results: string[];
  tools: string[];
  stream: boolean;
  body: Record<string, unknown>;
  headers: Record<string, string | string[] | undefined>;
}

export type Script = (Reply | ((asked: Asked) => Reply))[];

export const BUILT_IN: Record<string, Script> = {
  echo: [({ question }) => ({ text: ["You said: ", question] })],
  bash: [
    ({ question }) => ({ calls: [{ name: "execute_bash", arguments: { command: question } }] }),
    ({ results }) => ({ text: ["It printed:\n\n```\n", results.at(-1) ?? "", "\n```"] }),
  ],
  python: [
    ({ question }) => ({ calls: [{ name: "execute_python", arguments: { code: question } }] }),
    { text: ["Done. ", "Look at the result above."] },
  ],
  slow: [{ text: Array.from({ length: 200 }, (_, n) => `word${n} `), delayMs: 100 }],
};

export function replyTo(script: Script, asked: Asked): Reply {
  // Without tools it is asked for a title.
  if (asked.tools.length === 0) return { text: "A scripted title" };
  const step = script[Math.min(asked.results.length, script.length - 1)] ?? { text: "…" };
  return typeof step === "function" ? step(asked) : step;
}

export function piecesOf({ text = [] }: Reply): string[] {
  return typeof text === "string" ? [text] : text;
}
