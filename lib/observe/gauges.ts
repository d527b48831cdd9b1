// What is asked when Prometheus looks, rather than counted as it happens.
import { Gauge, type Registry } from "prom-client";
import { databaseLoad } from "../database.ts";
import { readySandboxes } from "../sandboxes/sandboxes.ts";

const STATES = ["warm", "active", "paused", "stopped"] as const;

export function registerGauges(registry: Registry): void {
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
