// The sandbox's own errors as ours. Each keeps its sentence; the code decides what a door makes of it.
import { isSandboxError, type SandboxErrorCode } from "#sandbox/index.ts";
import { AppError, type ErrorCode } from "../app-error.ts";

const CODES: Record<SandboxErrorCode, ErrorCode> = {
  not_found: "not_found",
  execution_not_found: "not_found",
  exists: "conflict",
  not_empty: "conflict",
  not_a_file: "bad_request",
  not_a_directory: "bad_request",
  is_a_directory: "bad_request",
  path_refused: "bad_request",
  read_only: "forbidden",
  invalid_argument: "bad_request",
  too_large: "too_large",
  no_space: "conflict",
  io_error: "internal",
  queue_full: "rate_limited",
  too_many_executions: "rate_limited",
  too_many_processes: "rate_limited",
  too_many_sessions: "conflict",
  too_many_sandboxes: "unavailable",
  disk_full: "unavailable",
  engine_unavailable: "unavailable",
  engine_failed: "unavailable",
  image_missing: "unavailable",
  sandbox_gone: "unavailable",
  closed: "unavailable",
  disconnected: "unavailable",
  protocol_violation: "unavailable",
  version_mismatch: "unavailable",
  replaced: "unavailable",
  session_lost: "unavailable",
  unresponsive: "unavailable",
};

/** Anything that isn't the sandbox's passes as it is. */
export function fromSandbox(error: unknown): unknown {
  if (!isSandboxError(error)) return error;
  const wait =
    "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : undefined;
  return new AppError(CODES[error.code], error.message, {
    cause: error,
    ...(wait !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) }),
  });
}
