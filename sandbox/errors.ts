// Everything that can go wrong in a sandbox, by name. A non-zero exit, a timeout or an OOM is a result, never one of these.
// `code` is what a door maps to a status; the message is a sentence for whoever reads it; `cause` is kept.

export type SandboxErrorCode =
  | FileErrorCode
  | PipeErrorCode
  | EngineErrorCode
  | LimitErrorCode
  | "invalid_argument"
  | "execution_not_found"
  | "closed";

export type FileErrorCode =
  | "not_found"
  | "exists"
  | "not_a_file"
  | "not_a_directory"
  | "is_a_directory"
  | "not_empty"
  | "path_refused"
  | "read_only"
  | "no_space"
  | "too_large"
  | "io_error";

export type PipeErrorCode =
  | "disconnected"
  | "protocol_violation"
  | "version_mismatch"
  | "replaced"
  | "session_lost"
  | "unresponsive";

export type EngineErrorCode =
  | "engine_unavailable"
  | "engine_failed"
  | "image_missing"
  | "sandbox_gone"
  | "disk_full";

export type LimitErrorCode =
  | "queue_full"
  | "too_many_executions"
  | "too_many_processes"
  | "too_many_sessions"
  | "too_many_sandboxes";

// A bundler may load this module more than once in one process, where `instanceof` fails; a registered symbol doesn't.
const BRAND = Symbol.for("cove.sandbox.error");

export function isSandboxError(error: unknown): error is SandboxError {
  return error instanceof Error && BRAND in error;
}

export class SandboxError extends Error {
  readonly code: SandboxErrorCode;
  readonly [BRAND] = true;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A path that can't be read, written or listed; `path` is the one that was asked for. */
export class FileError extends SandboxError {
  readonly path: string;

  constructor(code: FileErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.path = path;
  }
}

/** The pipe to the daemon broke, or what came out of it made no sense. */
export class PipeError extends SandboxError {
  constructor(code: PipeErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** The engine did not do what was asked. */
export class EngineError extends SandboxError {
  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** A limit was reached; `retryAfterMs` is a guess at when it pays to come back. */
export class LimitError extends SandboxError {
  readonly retryAfterMs: number | undefined;

  constructor(code: LimitErrorCode, message: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(code, message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** For what need not be done any more when the sandbox is gone. */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof SandboxError)) throw error;
}
