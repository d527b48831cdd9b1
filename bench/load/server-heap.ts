// What the server still holds once its garbage is collected. Node opens its inspector when it is sent SIGUSR1, so this needs
// nothing of the server but a port to open it on.
import { setTimeout as sleep } from "node:timers/promises";

export interface ServerHeap {
  /** Collects the garbage and says how many bytes of JavaScript's heap are left. */
  collect(): Promise<number>;
  close(): void;
}

export async function openServerHeap(pid: number, port: number): Promise<ServerHeap> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorUrl(port));
  const waiting = new Map<number, (result: { usedSize?: number }) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("The server's inspector doesn't answer."));
  });
  let last = 0;
  const ask = (method: string) =>
    new Promise<{ usedSize?: number }>((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method }));
    });
  return {
    async collect() {
      // What is freed by finalizers goes with the second.
      for (let round = 0; round < 2; round++) await ask("HeapProfiler.collectGarbage");
      return (await ask("Runtime.getHeapUsage")).usedSize ?? Number.NaN;
    },
    close: () => socket.close(),
  };
}

async function inspectorUrl(port: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
    if (answer)
      return ((await answer.json()) as { webSocketDebuggerUrl: string }[])[0]?.webSocketDebuggerUrl ?? "";
    await sleep(100);
  }
  throw new Error(`The server opened no inspector on port ${port}.`);
}
