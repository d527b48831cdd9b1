import { z } from "zod";
import { defineTool } from "./tool.ts";

const usage = z.object({ used_bytes: z.number(), total_bytes: z.number() }).nullable();

export const sandboxInfo = defineTool({
  name: "sandbox_info",
  title: "Sandbox at a glance",
  description:
    "Limits and current use of the sandbox: memory, disk, processes, Python sessions, and what is still running.",
  input: z.object({}),
  output: z.object({
    uptime_ms: z.number(),
    processes: z.number(),
    memory: usage,
    workspace: usage,
    tmp: usage,
    running: z.array(z.object({ execution_id: z.string(), age_ms: z.number() })),
    sessions: z.array(
      z.object({ name: z.string(), age_ms: z.number(), memory_bytes: z.number().nullable() }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  async run(_input, { sandbox }) {
    const info = await sandbox.info();
    const running = info.executions.filter(({ status }) => status === "running");
    const structured = {
      uptime_ms: Math.round(info.uptimeMs),
      processes: info.processes,
      memory: inUse(info.memoryBytes, info.memoryLimitBytes),
      workspace: info.disk && inUse(info.disk.totalBytes - info.disk.freeBytes, info.disk.totalBytes),
      tmp: info.tmp && inUse(info.tmp.totalBytes - info.tmp.freeBytes, info.tmp.totalBytes),
      running: running.map(({ executionId, ageMs }) => ({
        execution_id: executionId,
        age_ms: Math.round(ageMs),
      })),
      sessions: info.sessions.map(({ name, ageMs, memoryBytes }) => ({
        name,
        age_ms: Math.round(ageMs),
        memory_bytes: memoryBytes,
      })),
    };
    return { structured, text: JSON.stringify(structured, null, 2) };
  },
});

function inUse(used: number | null, total: number | null) {
  return used === null || total === null ? null : { used_bytes: used, total_bytes: total };
}
