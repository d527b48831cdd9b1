// The one error that reaches people. Its message is a sentence for them; everything else stays in the log.
export const STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  /** The client left in the middle of its request: nobody is there to be told. */
  broken_off: 499,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** What a caller may decide by where the code alone doesn't say enough. Sentences are for people and may change. */
export interface ErrorDetails {
  /** Of a conflict: the name is taken, or what was opened is no longer as it was, or no longer there. */
  reason?: "exists" | "changed" | "gone";
}

interface Options {
  cause?: unknown;
  details?: ErrorDetails;
  /** Which form field or argument is meant. */
  field?: string;
  retryAfterSeconds?: number;
}

export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;
  readonly field?: string;
  readonly retryAfterSeconds?: number;

  constructor(code: ErrorCode, message: string, { cause, details, field, retryAfterSeconds }: Options = {}) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** What a person may see of any error: ours as it is, whoever wrapped it; everything else as a plain apology. */
export function toAppError(error: unknown): AppError {
  for (let at = error; at instanceof Error; at = causeOf(at)) if (at instanceof AppError) return at;
  if (isBrokenOff(error)) {
    return new AppError("broken_off", "The request broke off before all of it had come.", { cause: error });
  }
  if (isDatabaseDown(error)) {
    return new AppError("unavailable", "The database does not answer. Try again in a moment.", {
      cause: error,
    });
  }
  return new AppError("internal", "Something went wrong on our side. It has been logged.", { cause: error });
}

/** next-auth wraps what our own code threw: its errors' causes are `{ err }`. */
export function causeOf({ cause }: Error): unknown {
  return cause && typeof cause === "object" && "err" in cause ? cause.err : cause;
}

/** As Node words it: the code alone is that of any connection which breaks. */
export function isBrokenOff(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = causeOf(at)) {
    const { code, syscall, message } = at as NodeJS.ErrnoException;
    if (code === "ECONNRESET" && syscall === undefined && message === "aborted") return true;
  }
  return false;
}

/** What Postgres says when it goes, and what the system says of a connection: that always names the call that failed. */
const POSTGRES_GOES = new Set(["57P01", "57P03", "08006"]);
const CONNECTION_FAILURES = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);
const CONNECTION_CALLS = new Set(["connect", "read", "write"]);

function isDatabaseDown(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = causeOf(at)) {
    const { code = "", syscall = "" } = at as NodeJS.ErrnoException;
    if (POSTGRES_GOES.has(code)) return true;
    if (
      CONNECTION_FAILURES.has(code) &&
      CONNECTION_CALLS.has(syscall) &&
      (code !== "ENOENT" || syscall === "connect")
    )
      return true;
    if (/timeout exceeded when trying to connect|Connection terminated/.test(at.message)) return true;
  }
  return false;
}
