// What a user's sandbox may use, as the operator has set it.
import { env } from "#env.ts";
import type { UserLimits } from "#mcp/tools/tool.ts";
import { allowedHosts } from "./allowed-hosts.ts";

export function userLimits(): UserLimits {
  const settings = env();
  return {
    timeoutSeconds: settings.COVE_TIMEOUT,
    maxTimeoutSeconds: settings.COVE_TIMEOUT_MAX,
    memoryBytes: settings.COVE_SANDBOX_MEMORY,
    cpus: settings.COVE_SANDBOX_CPUS,
    diskBytes: settings.COVE_SANDBOX_DISK,
    processes: settings.COVE_SANDBOX_PIDS,
    concurrency: settings.COVE_CONCURRENCY,
    callsPerMinute: settings.COVE_RATE_LIMIT,
    network: settings.COVE_EGRESS,
    allowedHosts: allowedHosts(),
  };
}
