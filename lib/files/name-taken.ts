import { AppError } from "../app-error.ts";

/** Nothing in a workspace is replaced by accident: whoever meant to says so and tries again. */
export function nameTaken(cause?: unknown): AppError {
  return new AppError("conflict", "Something of that name is there already.", {
    cause,
    details: { reason: "exists" },
  });
}
