// What can become of a pipe, by name, and which of it is worth another try.
import { EngineError, PipeError, type SandboxError } from "../errors.ts";

/** An engine that failed may do better the next time; whoever dials has waited for one that is away. */
const passing = new Set<SandboxError["code"]>([
  "disconnected",
  "unresponsive",
  "engine_failed",
  "sandbox_gone",
]);

export function isFinal(error: SandboxError): boolean {
  return !passing.has(error.code);
}

/** What the engine says about itself is not the sandbox's fault, and stays as it is. */
export function asNamedError(cause: unknown): PipeError | EngineError {
  return cause instanceof EngineError ? cause : asPipeError(cause);
}

export function asPipeError(cause: unknown): PipeError {
  if (cause instanceof PipeError) return cause;
  return new PipeError("disconnected", "The sandbox's daemon can't be reached.", { cause });
}

export function sessionUsedUp(): PipeError {
  return new PipeError("session_lost", "This pipe has numbered all the calls it can: the next one is new.");
}

export function sandboxRestarted(): PipeError {
  return new PipeError("disconnected", "The sandbox was started anew; what ran in it has ended.");
}

export function sessionForgotten(): PipeError {
  return new PipeError("session_lost", "The sandbox was out of reach too long to continue the call.");
}
