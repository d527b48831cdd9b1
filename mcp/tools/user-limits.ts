/** What a user's sandbox may use. */
export interface UserLimits {
  timeoutSeconds: number;
  maxTimeoutSeconds: number;
  memoryBytes: number;
  cpus: number;
  diskBytes: number;
  processes: number;
  /** Calls that run at the same time; further ones wait in line. */
  concurrency: number;
  callsPerMinute: number;
  network: "off" | "packages" | "open";
  /** `host` or `host:port` that the operator allowed besides. */
  allowedHosts: readonly string[];
}
