// The production server for rows that are about its doors, and calls through one of them.
import { newCaller } from "../tests/support/caller.ts";
import { type Cove, startCove } from "../tests/support/cove.ts";
import { rpc } from "./http.ts";

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
    const headers = { authorization: `Bearer ${token}` };
    const url = `${cove.url}/api/mcp`;
    const door: Door = {
      cove,
      token,
      rpc: (method, params = {}) => rpc(url, method, params, { headers }),
      knock: () => rpc(url, "ping", {}, { expected: 401 }),
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
  // The minimal server has no status to give, only whether it failed.
  const { status = "completed" } = result?.structuredContent ?? {};
  if (!result || result.isError || status !== "completed") throw new Error(`A call failed: ${answer}`);
  return answer;
}
