// The body of a POST, read no further than the limit, or the answer to what isn't one.

const MOST_BYTES = 10 * 2 ** 20;

export async function readMessage(request: Request): Promise<unknown | Response> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return refuse(415, -32_000, "Send JSON, with `Content-Type: application/json`.");
  }
  if (Number(request.headers.get("content-length")) > MOST_BYTES) return tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) return tooLarge();
    chunks.push(chunk);
  }
  try {
    const message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
    return message ?? refuse(400, -32_600, "The body is no JSON-RPC message.");
  } catch {
    return refuse(400, -32_700, "The body is not valid JSON.");
  }
}

function tooLarge(): Response {
  return refuse(413, -32_000, `The body is larger than ${MOST_BYTES / 2 ** 20} MB.`);
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
