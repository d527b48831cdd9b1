import { z } from "zod";
import type { SandboxInfo } from "#sandbox/index.ts";
import { defineTool, type UserLimits } from "./tool.ts";

const usage = z.object({ used_bytes: z.number(), total_bytes: z.number() }).nullable();

export const sandboxInfo = defineTool({
  name: "sandbox_info",
  title: "Sandbox at a glance",
  description: `State, limits and current use of the sandbox: memory, disk, processes, time limits, what the network policy allows,
Python sessions, and what is still running.`,
  input: z.object({}),
  output: z.object({
    state: z.string(),
    uptime_ms: z.number(),
    processes: z.number(),
    memory: usage,
    workspace: usage,
    tmp: usage,
    limits: z.object({
      timeout_seconds: z.number(),
      max_timeout_seconds: z.number(),
      memory_bytes: z.number(),
      cpus: z.number(),
      disk_bytes: z.number(),
      disk_quota: z.enum(["hard", "soft"]),
      processes: z.number(),
      concurrent_calls: z.number(),
      calls_per_minute: z.number(),
    }),
    network: z.object({ mode: z.enum(["off", "packages", "open"]), allowed_hosts: z.array(z.string()) }),
    running: z.array(z.object({ execution_id: z.string(), age_ms: z.number() })),
    sessions: z.array(
      z.object({
        name: z.string(),
        busy: z.boolean(),
        age_ms: z.number(),
        memory_bytes: z.number().nullable(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Look at the sandbox", icon: "wrench", open: false },
  async run(_input, { sandbox, limits, status }) {
    const info = await sandbox.info();
    const { state, quota } = await status();
    const structured = {
      state,
      ...usageOf(info),
      limits: { ...limitsOf(limits), disk_quota: quota },
      network: { mode: limits.network, allowed_hosts: [...limits.allowedHosts] },
      ...activityOf(info),
    };
    return { structured, text: JSON.stringify(structured, null, 2) };
  },
});

function usageOf({ uptimeMs, processes, memoryBytes, memoryLimitBytes, disk, tmp }: SandboxInfo) {
  return {
    uptime_ms: Math.round(uptimeMs),
    processes,
    memory: inUse(memoryBytes, memoryLimitBytes),
    workspace: disk && inUse(disk.totalBytes - disk.freeBytes, disk.totalBytes),
    tmp: tmp && inUse(tmp.totalBytes - tmp.freeBytes, tmp.totalBytes),
  };
}

function limitsOf(limits: UserLimits) {
  return {
    timeout_seconds: limits.timeoutSeconds,
    max_timeout_seconds: limits.maxTimeoutSeconds,
    memory_bytes: limits.memoryBytes,
    cpus: limits.cpus,
    disk_bytes: limits.diskBytes,
    processes: limits.processes,
    concurrent_calls: limits.concurrency,
    calls_per_minute: limits.callsPerMinute,
  };
}

function activityOf({ executions, sessions }: SandboxInfo) {
  const running = executions.filter(({ status }) => status === "running");
  return {
    running: running.map(({ executionId, ageMs }) => ({
      execution_id: executionId,
      age_ms: Math.round(ageMs),
    })),
    sessions: sessions.map(({ name, busy, ageMs, memoryBytes }) => ({
      name,
      busy,
      age_ms: Math.round(ageMs),
      memory_bytes: memoryBytes,
    })),
  };
}

function inUse(used: number | null, total: number | null) {
  return used === null || total === null ? null : { used_bytes: used, total_bytes: total };
}
