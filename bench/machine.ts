// What the figures were measured on, and how busy it was: figures without that say nothing.
import os from "node:os";

export function machine() {
  return {
    cpu: os.cpus()[0]?.model,
    cpus: os.cpus().length,
    memoryGB: Math.round(os.totalmem() / 2 ** 30),
    kernel: os.release(),
    node: process.version,
    /** Runnable processes, over the last minute: others' work if nothing has been measured yet. */
    load: Number(os.loadavg()[0]?.toFixed(1)),
  };
}
