import { type AppError, toAppError } from "./app-error.ts";
import { log } from "./log.ts";

/** What a person may see of an error; all of it goes to the log when it is ours to mend. */
export function loggedError(thrown: unknown, about: Record<string, unknown> = {}): AppError {
  const error = toAppError(thrown);
  if (error.status >= 500) log().error({ ...about, err: thrown }, error.message);
  return error;
}
