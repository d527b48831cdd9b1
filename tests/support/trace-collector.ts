// An OpenTelemetry collector that keeps what it is sent, over real HTTP.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
}

export async function startTraceCollector() {
  const spans: Span[] = [];
  /** Everything as it came, to look for what should not be in it. */
  let raw = "";
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
    raw += text;
    spans.push(...spansIn(JSON.parse(text)));
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    raw: () => raw,
    /** A span and those above it, up to the root of its trace. */
    lineage: (span: Span) => lineage(spans, span),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function lineage(spans: Span[], span: Span): Span[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span, ...(parent ? lineage(spans, parent) : [])];
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: (Omit<Span, "attributes"> & { attributes: Attribute[] })[] }[] }[];
}
type Attribute = { key: string; value: Record<string, unknown> };

function spansIn({ resourceSpans }: Sent): Span[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }));
}
