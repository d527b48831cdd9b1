// What a Python session offers for a half-written name. Positions are JavaScript's; Python counts whole characters.
import { SandboxError } from "../errors.ts";
import { count, list, type Message, text, truth, violation } from "../pipe/messages.ts";

export type Completion = {
  /** What the matches stand in for. */
  from: number;
  to: number;
  matches: { text: string; type: string }[];
  /** A cell runs: nothing could be asked. */
  busy: boolean;
};

/** The request, as the daemon understands it. */
export function completionRequest(session: string, code: string, cursor: number): object {
  if (!Number.isInteger(cursor) || cursor < 0 || cursor > code.length)
    throw new SandboxError("invalid_argument", "The cursor is outside of the code.");
  return { op: "complete", session, code, cursor: characters(code.slice(0, cursor)) };
}

export function readCompletion(message: Message, code: string): Completion {
  const letters = [...code];
  const unit = (position: number) => letters.slice(0, position).join("").length;
  const [from, to] = [count(message, "start"), count(message, "end")];
  return {
    from: unit(from),
    to: unit(to),
    matches: list(message, "matches", 1000).map(match),
    busy: truth(message, "busy"),
  };
}

function match(value: unknown): { text: string; type: string } {
  if (!Array.isArray(value)) throw violation("a match is not a list");
  const [name, type] = value;
  return { text: text({ name }, "name", 200), type: text({ type }, "type", 20) };
}

function characters(part: string): number {
  let total = 0;
  for (const _ of part) total++;
  return total;
}
