// What this user's sandbox may use, said once, so that a model plans within it instead of finding out.
import type { UserLimits } from "../tools/tool.ts";
import { inline } from "./inline.ts";

export function limitsSection(limits: UserLimits): string {
  const lines = [
    `A call ends after ${limits.timeoutSeconds} s unless it asks for more with timeout, up to ${limits.maxTimeoutSeconds} s.`,
    `${size(limits.memoryBytes)} of memory, ${limits.cpus} CPU, ${limits.processes} processes, ${size(limits.diskBytes)} of disk in /workspace; the rest is read-only but for a small /tmp.`,
    `${limits.concurrency} calls run at once and ${limits.callsPerMinute} a minute are allowed.`,
    network(limits),
    "No root, no sudo, no input from a keyboard.",
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}

function network({ network, allowedHosts }: UserLimits): string {
  const also = allowedHosts.map((host) => inline(host, 200)).join(", ");
  switch (network) {
    case "off":
      return also ? `Network: only ${also}.` : "Network: none.";
    case "packages":
      return `Network: package registries (pip, npm), read-only${also && `; also ${also}`}. Other sites are refused.`;
    case "open":
      return "Network: public addresses can be reached; private ones are refused.";
  }
}

function size(bytes: number): string {
  const gigabytes = bytes / 2 ** 30;
  return gigabytes >= 1 ? `${Number(gigabytes.toFixed(1))} GB` : `${Math.round(bytes / 2 ** 20)} MB`;
}
