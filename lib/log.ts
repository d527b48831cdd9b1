// Structured logs, one JSON object per line. Secrets are cut out by name wherever they would appear.
import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { env } from "#env.ts";
import { causeOf } from "./app-error.ts";
import { perProcess } from "./per-process.ts";

interface RequestContext {
  requestId?: string;
  userId?: string;
  executionId?: string;
}

const SECRETS = ["password", "token", "secret", "authorization", "cookie", "apiKey", "passwordHash", "hash"];

/** The request that is being answered; its ids are part of every line logged meanwhile. */
export const requests = perProcess<AsyncLocalStorage<RequestContext>>("requests").get(
  () => new AsyncLocalStorage(),
);

const logger = perProcess<pino.Logger>("log");

export function log(): pino.Logger {
  return logger.get(() => createLog(env().COVE_LOG_LEVEL));
}

/** Lets tests read what is logged. */
export function provideLog(other: pino.Logger): void {
  logger.set(other);
}

export function createLog(level: string, destination?: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A copy: what a line says is added to it, and would be said by all lines after.
      mixin: () => ({ ...requests.getStore() }),
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[cut out]" },
      // The sandbox has names of its own for what went wrong.
      serializers: { err: describeError, error: describeError, errors: describeErrors },
    },
    destination,
  );
}

// Postgres errors carry the row and the parameters of the query; only these fields are safe to keep.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  const inner = causeOf(error);
  const cause = inner === undefined ? undefined : describeError(inner);
  // Drizzle repeats the query's parameters in its message.
  const safe = (text?: string) => text?.replace(/\nparams: .*/s, "");
  return { name, code, message: safe(message), stack: safe(stack), cause };
}

function describeErrors(errors: unknown): unknown {
  return Array.isArray(errors) ? errors.map(describeError) : describeError(errors);
}
