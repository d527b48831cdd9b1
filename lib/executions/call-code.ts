// What was run or written by a call, as code: the one place that knows where each tool keeps it.
export interface CallCode {
  code: string;
  language: "python" | "bash" | "text";
  /** The file it was written to, as the caller named it. */
  path?: string;
  /** What else was asked for. */
  rest: Record<string, unknown>;
}

const PLACES: Record<string, { code: string; path?: string; language: CallCode["language"] }> = {
  execute_python: { code: "code", language: "python" },
  execute_bash: { code: "command", language: "bash" },
  write_file: { code: "content", path: "file_path", language: "text" },
  execute_code: { code: "code", language: "python" },
  initialize_code_file: { code: "content", path: "filename", language: "python" },
  append_to_code_file: { code: "content", path: "file_path", language: "python" },
};

/** Nothing for a call that had no code. */
export function callCode(tool: string, given: Record<string, unknown>): CallCode | undefined {
  const place = Object.hasOwn(PLACES, tool) ? PLACES[tool] : undefined;
  if (!place) return undefined;
  const { [place.code]: code, [place.path ?? ""]: path, ...rest } = given;
  if (typeof code !== "string") return undefined;
  return { code, language: place.language, ...(typeof path === "string" && { path }), rest };
}
