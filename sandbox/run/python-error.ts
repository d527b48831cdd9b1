// Reads what a session says about the exception that ended a cell, and knows what to do about some.

import { object, text } from "../pipe/messages.ts";
import type { PythonOutcome } from "../types.ts";
import { missingModuleHint } from "./missing-module.ts";

export function readPythonError(value: unknown): Pick<PythonOutcome, "error" | "hint"> {
  if (value === null || value === undefined) return {};
  const message = object(value, "error");
  const error = { type: text(message, "type", 1000), message: text(message, "message", 1000) };
  if (message.module === undefined) return { error };
  const module = text(message, "module", 1000);
  const hint = missingModuleHint(module);
  return { error: { ...error, module }, ...(hint && { hint }) };
}
