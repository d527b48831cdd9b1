// A stage of the work, for whoever looks later: its time among the metrics, and a span where traces are on.
import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";
import { timeStage } from "./metrics.ts";

export async function inStage<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await inSpan(stage, {}, work);
  } finally {
    timeStage(stage, (performance.now() - started) / 1000);
  }
}

/** Where no traces are collected this costs next to nothing. Attributes are ids and names, never contents. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => T | Promise<T>): Promise<T> {
  return trace.getTracer("cove").startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The message may repeat what somebody sent, so only the kind of error is told.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error)?.name });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What models read and write belongs to its user and stays out of traces; only names, times and counts are told. */
export const NO_CONTENTS = { recordInputs: false, recordOutputs: false } as const;
