// All metrics as Prometheus reads them: what was counted as it happened, and gauges, which are asked when it looks.
import { Gauge, type Registry } from "prom-client";
import { databaseLoad } from "../database.ts";
import { metricsRegistry } from "../observe/metrics.ts";
import { perProcess } from "../per-process.ts";
import { readySandboxes } from "../sandboxes/sandboxes.ts";

const STATES = ["warm", "active", "paused", "stopped"] as const;
const gauges = perProcess<true>("gauges");

/** In Prometheus' own text format, and its type. */
export async function exposeMetrics(): Promise<{ text: string; type: string }> {
  const registry = metricsRegistry();
  gauges.get(() => {
    registerGauges(registry);
    return true;
  });
  return { text: await registry.metrics(), type: registry.contentType };
}

function registerGauges(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "cove_sandboxes",
    help: "Sandboxes by state; none at all while the engine doesn't answer.",
    labelNames: ["state"],
    registers,
    async collect() {
      this.reset();
      const all = await (await readySandboxes())?.list().catch(() => undefined);
      for (const state of STATES)
        if (all) this.set({ state }, all.filter((one) => one.state === state).length);
    },
  });
  new Gauge({
    name: "cove_runs",
    help: "Executions in sandboxes at this moment, running or waiting in line.",
    labelNames: ["state"],
    registers,
    async collect() {
      this.reset();
      const queue = (await readySandboxes())?.queue();
      if (queue) for (const state of ["running", "waiting"] as const) this.set({ state }, queue[state]);
    },
  });
  new Gauge({
    name: "cove_database_connections",
    help: "The server's own connections to Postgres; waiting are those who want one.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(databaseLoad())) this.set({ state }, count);
    },
  });
}
