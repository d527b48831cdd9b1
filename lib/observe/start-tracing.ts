// Traces, from the request through the agent's steps and tools to the pipe, for an OpenTelemetry collector. Off unless one is
// named.
import { OpenTelemetry } from "@ai-sdk/otel";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { registerTelemetry } from "ai";
import packageJson from "#package.json" with { type: "json" };

/** Returns how to end it: what was collected is sent first. */
export function startTracing(collector: string): () => Promise<void> {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "cove", "service.version": packageJson.version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector}/v1/traces` }))],
  });
  provider.register();
  registerTelemetry(new OpenTelemetry());
  return () => provider.shutdown();
}
