// The Next server as a child of the launcher: started, waited for, ended.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** What is learnt from the server's log while it comes up. */
export interface Report {
  quota?: { kind: "hard" } | { kind: "soft"; reason: string };
  /** Why there are no sandboxes. */
  problem?: string;
}

/** `serve` is what an image does: the application is built, and nothing is installed. */
export type Mode = "start" | "dev" | "serve";

export interface Server {
  report: Report;
  /** Resolves with the exit code when the server ends, for whatever reason. */
  ended: Promise<number>;
  stop(): Promise<void>;
}

interface Options {
  root: string;
  mode: Mode;
  port: number;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
  /** Gives up waiting for the server, and ends it. */
  signal?: AbortSignal;
}

const OPENED = '"msg":"sandboxes are open"';
const NOT_OPENED = '"msg":"sandboxes could not be opened"';
const START_PATIENCE_MS = 90_000;
const STOP_PATIENCE_MS = 30_000;

export async function startServer({ root, mode, port, env, onLine, signal }: Options): Promise<Server> {
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const child = spawn(
    process.execPath,
    mode === "serve" ? [path.join(root, "server.js")] : [next, mode, "--port", String(port)],
    {
      cwd: root,
      // Next would exit before our own shutdown is done; in development it would kill the server after a tenth of a second.
      env: {
        ...env,
        // The built application reads these. HOSTNAME would otherwise be the container's name, and loopback left out.
        ...(mode === "serve" && { PORT: String(port), HOSTNAME: "0.0.0.0" }),
        NEXT_MANUAL_SIG_HANDLE: "true",
        NEXT_EXIT_TIMEOUT_MS: String(STOP_PATIENCE_MS),
        NEXT_TELEMETRY_DISABLED: "1",
      },
      // A group of its own: Ctrl-C in the terminal reaches the launcher, which ends things in order. The channel tells
      // the server when the launcher is gone.
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  const report: Report = {};
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  const early: string[] = [];
  let ready = false;
  const hear = (text: string) => {
    if (text.includes(OPENED)) Object.assign(report, { quota: JSON.parse(text).quota });
    if (text.includes(NOT_OPENED)) Object.assign(report, { problem: JSON.parse(text).err.message });
    if (ready) onLine(text);
    else early.push(text);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", hear);
  }
  try {
    await waitUntilReady(child, port, early, signal);
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
  ready = true;
  return { report, ended, stop: () => stop(child, ended) };
}

async function waitUntilReady(
  child: ChildProcess,
  port: number,
  output: string[],
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(reasonIn(output));
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(
        `The server did not answer within ${START_PATIENCE_MS / 1000} s:\n${output.join("\n")}`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    () => true,
    () => false,
  );
}

/** The last thing the server had to say, if it said it in a log line; otherwise all it printed. */
function reasonIn(output: string[]): string {
  const fatal = output.findLast((text) => text.startsWith("{") && text.includes('"level":"fatal"'));
  return fatal ? JSON.parse(fatal).msg : `The server did not start:\n${output.join("\n")}`;
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}
