// Turns the daemon's "no" into an error of ours. Only codes we know get through.
import { FileError, type FileErrorCode, LimitError, SandboxError } from "../errors.ts";
import { type Message, object, text, violation } from "./messages.ts";

const FILE_CODES: ReadonlySet<string> = new Set<FileErrorCode>([
  "not_found",
  "exists",
  "not_a_file",
  "not_a_directory",
  "is_a_directory",
  "not_empty",
  "path_refused",
  "read_only",
  "no_space",
  "too_large",
  "io_error",
]);

/** The error in a reply, or undefined if it is none. `path` is the one the request was about. */
export function readRefusal(reply: Message, path?: string): SandboxError | undefined {
  if (reply.error === undefined) return undefined;
  const error = object(reply.error, "error");
  const code = text(error, "code", 64);
  const reason = text(error, "message", 1024);
  if (code === "invalid_argument" || code === "execution_not_found")
    return new SandboxError(code, sentence(reason));
  if (code === "too_many_executions" || code === "too_many_processes" || code === "too_many_sessions")
    return new LimitError(code, sentence(reason));
  if (!FILE_CODES.has(code)) throw violation("an error with an unknown code");
  return new FileError(code as FileErrorCode, path ?? "", path ? `${path}: ${reason}.` : sentence(reason));
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
