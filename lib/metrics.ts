// What Prometheus is told. Every label has few values, known beforehand: tools, doors, states; never a user or an id.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { perProcess } from "./per-process.ts";
import { readySandboxes } from "./sandboxes/sandboxes.ts";

export interface CountedCall {
  tool: string;
  door: string;
  /** How it ended; `refused` when it never began. */
  outcome: string;
  seconds: number;
}

/** From a command's milliseconds to the longest an operator may allow. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const STATES = ["warm", "active", "paused", "stopped"] as const;

const kept = perProcess<ReturnType<typeof createMetrics>>("metrics");

export function countCall({ tool, door, outcome, seconds }: CountedCall): void {
  const { executions, duration } = metrics();
  executions.inc({ tool, door, outcome });
  duration.observe({ tool, door }, seconds);
}

/** In Prometheus' own text format, and its type. */
export async function exposeMetrics(): Promise<{ text: string; type: string }> {
  const { registry } = metrics();
  return { text: await registry.metrics(), type: registry.contentType };
}

function metrics(): ReturnType<typeof createMetrics> {
  return kept.get(createMetrics);
}

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Memory, CPU, garbage collection and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  const executions = new Counter({
    name: "cove_executions_total",
    help: "Tool calls by how they ended.",
    labelNames: ["tool", "door", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "cove_execution_seconds",
    help: "From a call's acceptance to its end.",
    labelNames: ["tool", "door"],
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: "cove_sandboxes",
    help: "Sandboxes by state.",
    labelNames: ["state"],
    registers,
    async collect() {
      const all = (await (await readySandboxes())?.list().catch(() => [])) ?? [];
      for (const state of STATES) this.set({ state }, all.filter((one) => one.state === state).length);
    },
  });
  return { registry, executions, duration };
}
