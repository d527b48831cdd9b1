import { type AddressInfo, createServer } from "node:net";
import type { Env } from "#env.ts";
import { localUrl } from "./local-url.ts";

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Resolves if the port can be had; otherwise says who has it, as far as that can be told. */
export async function requireFreePort({ PORT: port, COVE_LISTEN: address }: Env): Promise<void> {
  const problem = await listenProblem(port, address);
  if (!problem) return;
  if (problem === "EADDRNOTAVAIL")
    throw new Error(
      `COVE_LISTEN is ${address}, which is no address of this machine. 0.0.0.0 means all of them.`,
    );
  if (problem === "EACCES") throw new Error(`Port ${port} is only for root. Choose another with PORT.`);
  if (await isCove(localUrl(address, port)))
    throw new Error(`Cove is already running on port ${port}. For a second one, set PORT and COVE_DATA_DIR.`);
  throw new Error(`Port ${port} is in use by another program. Stop that, or choose another with PORT.`);
}

function listenProblem(port: number, address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, address, () => server.close(() => resolve(undefined)));
  });
}

async function isCove(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) });
    return "sandbox" in (await response.json());
  } catch {
    // Not ours, then: whatever answers there does not speak like Cove.
    return false;
  }
}
