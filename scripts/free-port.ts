import { type AddressInfo, createServer } from "node:net";

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
export async function requireFreePort(port: number): Promise<void> {
  const problem = await listenProblem(port);
  if (!problem) return;
  if (problem === "EACCES") throw new Error(`Port ${port} is only for root. Choose another with PORT.`);
  if (await isCove(port))
    throw new Error(`Cove is already running on port ${port}. For a second one, set PORT and COVE_DATA_DIR.`);
  throw new Error(`Port ${port} is in use by another program. Stop that, or choose another with PORT.`);
}

function listenProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, () => server.close(() => resolve(undefined)));
  });
}

async function isCove(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) });
    return "sandbox" in (await response.json());
  } catch {
    // Not ours, then: whatever answers there does not speak like Cove.
    return false;
  }
}
