// The production server for rows that are about its doors, and calls through one of them.
import http from "node:http";
import { newCaller } from "../tests/support/caller.ts";
import { type Cove, startCove } from "../tests/support/cove.ts";

export interface Door {
  cove: Cove;
  token: string;
  /** A JSON-RPC request to /api/mcp; resolves once all of its answer is there. */
  rpc: (method: string, params?: object) => Promise<string>;
  /** The same call as anybody, without a token. */
  knock: () => Promise<string>;
}

export async function withCove<T>(
  work: (door: Door) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  // A person's limit of calls a minute would be spent in a second; everything else is as it comes.
  const cove = await startCove({ COVE_RATE_LIMIT: "1000000", ...settings });
  try {
    const { token } = await newCaller(cove);
    const authorization = `Bearer ${token}`;
    const url = `${cove.url}/api/mcp`;
    const door: Door = {
      cove,
      token,
      rpc: (method, params = {}) => post(url, { jsonrpc: "2.0", id: 1, method, params }, { authorization }),
      knock: () => post(url, { jsonrpc: "2.0", id: 1, method: "ping" }, {}, 401),
    };
    await bashTrue(door);
    return await work(door);
  } finally {
    await cove.stop();
  }
}

export function bashTrue(door: Pick<Door, "rpc">): Promise<string> {
  return bash(door, "true");
}

/** One that was refused or failed would be fast, and counts for nothing. */
export async function bash({ rpc }: Pick<Door, "rpc">, command: string, timeout = 30): Promise<string> {
  const answer = await rpc("tools/call", { name: "execute_bash", arguments: { command, timeout } });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
  if (result?.structuredContent?.status !== "completed") throw new Error(`A call failed: ${answer}`);
  return answer;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

export function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
  expected = 200,
): Promise<string> {
  const text = JSON.stringify(body);
  const all = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent, headers: all }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        answer += chunk;
      });
      const refused = new Error(`${url} answered ${response.statusCode}`);
      response
        .once("end", () => (response.statusCode === expected ? resolve(answer) : reject(refused)))
        .once("error", reject);
    });
    request.once("error", reject).end(text);
  });
}
