// Starts the reference server on a container and calls it as Cove is called.
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { bash, type Door } from "./cove.ts";
import { rpc } from "./http.ts";

export interface Minimal extends Pick<Door, "rpc"> {
  close: () => void;
}

export async function startMinimal(container: string): Promise<Minimal> {
  const child = fork(path.join(import.meta.dirname, "minimal-server.ts"), [container]);
  const failed = once(child, "exit").then(() => {
    throw new Error("The minimal server did not start.");
  });
  const [port] = await Promise.race([once(child, "message"), failed]);
  const minimal: Minimal = {
    rpc: (method, params = {}) => rpc(`http://127.0.0.1:${port}/mcp`, method, params),
    close: () => child.disconnect(),
  };
  // A reference that answers with errors would look fast.
  const answer = await bash(minimal, "echo $((6 * 7))");
  if (!answer.includes("42")) throw new Error(`The minimal server does not work: ${answer}`);
  return minimal;
}
