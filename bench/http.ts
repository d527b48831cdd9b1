// Requests over connections that are kept, and all of the answer with its status.
import http from "node:http";

export interface Answer {
  status: number;
  body: Buffer;
}

interface Sent {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers?: http.OutgoingHttpHeaders;
  body?: Buffer | string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

export function send(url: string, sent: Sent = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body } = sent;
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response
        .once("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
        .once("error", reject);
    });
    request.once("error", (error: NodeJS.ErrnoException) => {
      // The server closed a connection that was kept in the moment it was used again: every client asks once more then.
      if (request.reusedSocket && error.code === "ECONNRESET") resolve(send(url, sent));
      else reject(error);
    });
    request.end(body);
  });
}

/** As MCP clients of the 2025-11-25 revision do it. Gives back the answer's text; another status is an error. */
export async function rpc(
  url: string,
  method: string,
  params: object,
  { headers = {}, expected = 200 }: { headers?: http.OutgoingHttpHeaders; expected?: number } = {},
): Promise<string> {
  const { status, body } = await send(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  if (status !== expected) throw new Error(`${url} answered ${status}: ${body.subarray(0, 300)}`);
  return body.toString();
}
