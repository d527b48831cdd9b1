// How people see the calls of a tool, in the chat and in the history. Plain data, so that the server can hand it to the
// browser: a tool's file has schemas and a function besides, which would be a heavy thing to download for a title.

/** The app has a picture for each. */
export type IconName = "terminal" | "package" | "file" | "file-pen" | "wrench";

export interface Presentation {
  /** In the chat, where the subject follows it. */
  title: string;
  /** The title of calls in which an argument is true, by that argument. */
  titleIf?: Record<string, string>;
  /** In the history, if it isn't the title there, too. */
  label?: string;
  icon: IconName;
  /** Its card in the chat is open from the beginning: something runs or is written. A look around is only worth a line. */
  open: boolean;
  subject?: Subject;
  code?: CodePlace;
  /** For calls without code, what a card shows as such. */
  summary?: Summary;
}

/** What a call is about, such as a path: the values of these arguments, as far as there are any. */
export interface Subject {
  arguments: string[];
  between?: string;
  before?: string;
  /** A value that is not worth a word. */
  unless?: string;
  /** In place of missing values. */
  otherwise?: string;
}

/** Where in the arguments code is, and the path it is written to, if it is. */
export interface CodePlace {
  argument: string;
  /** Of text, the file's name says more. */
  language: "python" | "bash" | "text";
  path?: string;
}

/** Two arguments as a change of one into the other, or a list behind a command. */
export type Summary =
  | { kind: "diff"; from: string; to: string }
  | { kind: "command"; command: string; list: string };

export interface CallCode {
  code: string;
  language: CodePlace["language"];
  /** The file it was written to, as the caller named it. */
  path?: string;
  /** What else was asked for. */
  rest: Record<string, unknown>;
}

/** Nothing for a call that had no code. */
export function codeAt(place: CodePlace | undefined, given: Record<string, unknown>): CallCode | undefined {
  if (!place) return undefined;
  const { [place.argument]: code, [place.path ?? ""]: path, ...rest } = given;
  if (typeof code !== "string") return undefined;
  return { code, language: place.language, ...(typeof path === "string" && { path }), rest };
}
