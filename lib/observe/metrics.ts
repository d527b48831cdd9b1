// What Prometheus is told. Every label has few values, known beforehand: tools, doors, states; never a user, a host or an id.
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { perProcess } from "../per-process.ts";

export interface CountedCall {
  tool: string;
  door: string;
  /** How it ended; `refused` when it never began. */
  outcome: string;
  seconds: number;
}

export interface CountedRequest {
  /** With names instead of what stood in the address: `/api/skills/[name]`. */
  route: string;
  method: string;
  status: number;
  seconds: number;
}

/** From a command's milliseconds to the longest an operator may allow. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const STAGE_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 600];

const kept = perProcess<ReturnType<typeof createMetrics>>("metrics");

export function countCall({ tool, door, outcome, seconds }: CountedCall): void {
  const { executions, duration } = metrics();
  executions.inc({ tool, door, outcome });
  duration.observe({ tool, door }, seconds);
}

export function countRequest({ route, method, status, seconds }: CountedRequest): void {
  const { requests, latency } = metrics();
  requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` });
  latency.observe({ route, method }, seconds);
}

export function timeStage(stage: string, seconds: number): void {
  metrics().stages.observe({ stage }, seconds);
}

/** A step of a sandbox's life, of its pipe or of its way out; the names are the sandbox's own. */
export function countEvent(event: string): void {
  metrics().events.inc({ event });
}

export function countTokens(provider: string, { input, output }: { input: number; output: number }): void {
  const { tokens } = metrics();
  tokens.inc({ provider, direction: "input" }, input);
  tokens.inc({ provider, direction: "output" }, output);
}

export function metricsRegistry(): Registry {
  return metrics().registry;
}

function metrics(): ReturnType<typeof createMetrics> {
  return kept.get(createMetrics);
}

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Memory, CPU, garbage collection and the delay of the event loop.
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    executions: new Counter({
      name: "cove_executions_total",
      help: "Tool calls, and changes of files in the web, by how they ended.",
      labelNames: ["tool", "door", "outcome"],
      registers,
    }),
    duration: new Histogram({
      name: "cove_execution_seconds",
      help: "From a call's acceptance to its end.",
      labelNames: ["tool", "door"],
      buckets: SECONDS,
      registers,
    }),
    stages: new Histogram({
      name: "cove_stage_seconds",
      help: "Where a call's time goes, stage by stage.",
      labelNames: ["stage"],
      buckets: STAGE_SECONDS,
      registers,
    }),
    events: new Counter({
      name: "cove_sandbox_events_total",
      help: "What happens to sandboxes: warm ones claimed, pipes opened and lost, connections out allowed and denied.",
      labelNames: ["event"],
      registers,
    }),
    requests: new Counter({
      name: "cove_http_requests_total",
      help: "Requests to the doors, by route.",
      labelNames: ["route", "method", "status"],
      registers,
    }),
    latency: new Histogram({
      name: "cove_http_request_seconds",
      help: "From a request's arrival to the beginning of its answer.",
      labelNames: ["route", "method"],
      buckets: SECONDS,
      registers,
    }),
    tokens: new Counter({
      name: "cove_model_tokens_total",
      help: "Tokens that models read and wrote.",
      labelNames: ["provider", "direction"],
      registers,
    }),
  };
}
