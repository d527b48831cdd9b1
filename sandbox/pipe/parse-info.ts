// Reads the daemon's report on itself.
import type { DiskUsage, ExecutionSummary, SandboxInfo, SessionSummary } from "../types.ts";
import { count, countOrNull, list, type Message, object, oneOf, text, truth } from "./messages.ts";

const STATUSES = ["running", "completed", "failed", "timeout", "oom", "cancelled"] as const;

export function parseInfo(message: Message): SandboxInfo {
  return {
    bootId: text(message, "boot", 64),
    uptimeMs: count(message, "uptime_ms"),
    processes: count(message, "processes"),
    idle: truth(message, "idle"),
    executions: list(message, "executions", 1024).map(summary),
    sessions: list(message, "sessions", 64).map(session),
    memoryBytes: countOrNull(message, "memory"),
    memoryLimitBytes: countOrNull(message, "memory_limit"),
    cpuMs: countOrNull(message, "cpu_ms"),
    pids: countOrNull(message, "pids"),
    disk: disk(message, "disk"),
    tmp: disk(message, "tmp"),
  };
}

function summary(value: unknown): ExecutionSummary {
  const message = object(value, "execution");
  return {
    executionId: text(message, "id", 256),
    status: oneOf(message, "status", STATUSES),
    ageMs: count(message, "age_ms"),
    strays: count(message, "strays"),
  };
}

function session(value: unknown): SessionSummary {
  const message = object(value, "session");
  return {
    name: text(message, "name", 64),
    busy: truth(message, "busy"),
    waiting: count(message, "waiting"),
    ageMs: count(message, "age_ms"),
    idleMs: count(message, "idle_ms"),
    memoryBytes: countOrNull(message, "memory"),
  };
}

function disk(message: Message, key: string): DiskUsage | null {
  if (message[key] === null || message[key] === undefined) return null;
  const usage = object(message[key], key);
  return {
    totalBytes: count(usage, "total_bytes"),
    freeBytes: count(usage, "free_bytes"),
    totalInodes: count(usage, "total_inodes"),
    freeInodes: count(usage, "free_inodes"),
  };
}
