// The result of an execution: what is assumed until its daemon has had the last word, and that word, read as untrusted.

import { constants } from "node:os";
import {
  count,
  countOrNull,
  list,
  type Message,
  object,
  oneOf,
  text,
  truth,
  violation,
} from "../pipe/messages.ts";
import type { FileChange, PythonOutcome, RunResult, Stray } from "../types.ts";
import { missingModuleHint } from "./missing-module.ts";

const STATUSES = ["completed", "failed", "timeout", "oom", "cancelled"] as const;
const MOST_CHANGES = 200;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Of an execution of which nothing is known but how it stands. */
export function blankResult(executionId: string, status: RunResult["status"]): RunResult {
  return {
    executionId,
    status,
    exitCode: null,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    truncated: false,
    omitted: { stdout: 0, stderr: 0 },
    durationMs: 0,
    cpuMs: null,
    memoryBytes: null,
    strays: [],
    deniedHosts: [],
    changes: [],
    changesTruncated: false,
  };
}

/** The last word, without what a cell adds to it. */
export function readRunResult(message: Message): Partial<RunResult> {
  const signal = countOrNull(message, "signal");
  return {
    status: oneOf(message, "status", STATUSES),
    exitCode: countOrNull(message, "exit_code"),
    signal: signal === null ? null : signalName(signal),
    durationMs: count(message, "duration_ms"),
    cpuMs: countOrNull(message, "cpu_ms"),
    memoryBytes: countOrNull(message, "memory"),
    strays: list(message, "strays", 64).map(readStray),
    changes: list(message, "changes", MOST_CHANGES).map(readChange),
    changesTruncated: truth(message, "changes_truncated"),
  };
}

/** What a cell adds, its rich results aside, which come apart. */
export function readPythonOutcome(message: Message): Omit<PythonOutcome, "results"> {
  return {
    session: readSessionName(message),
    restarted: truth(message, "restarted"),
    ...readPythonError(message.exception),
  };
}

/** It goes into the record, whose text takes less than a message can hold. */
function readSessionName(message: Message): string {
  const name = text(message, "session", 64);
  if (!/^[\w-]+$/.test(name)) throw violation("session is not a name");
  return name;
}

function readPythonError(value: unknown): Pick<PythonOutcome, "error" | "hint"> {
  if (value === null || value === undefined) return {};
  const message = object(value, "error");
  const error = { type: text(message, "type", 1000), message: text(message, "message", 1000) };
  if (message.module === undefined) return { error };
  const module = text(message, "module", 1000);
  const hint = missingModuleHint(module);
  return { error: { ...error, module }, ...(hint && { hint }) };
}

function readChange(value: unknown): FileChange {
  const message = object(value, "change");
  const path = text(message, "path", 5000);
  if (!path.startsWith("/workspace/")) throw violation("a change outside of the workspace");
  return { path, size: count(message, "size"), modifiedMs: count(message, "modified_ms") };
}

function readStray(value: unknown): Stray {
  const message = object(value, "stray");
  return { pid: count(message, "pid"), name: text(message, "name", 256) };
}

/** "SIGKILL" for 9. Linux counts the same everywhere Cove runs sandboxes. */
function signalName(number: number): string {
  return SIGNALS.get(number as (typeof constants.signals)[NodeJS.Signals]) ?? `signal ${number}`;
}
