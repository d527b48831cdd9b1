import { perProcess } from "../per-process.ts";
import { registerGauges } from "./gauges.ts";
import { metricsRegistry } from "./metrics.ts";

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
