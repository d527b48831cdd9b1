// The Next server as a child of the launcher: started, waited for, ended.
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { FinalEnd, type Supervised } from "./supervise.ts";

/** What is learnt from the server's log while it comes up. */
export interface Report {
  quota?: { kind: "hard" } | { kind: "soft"; reason: string };
  /** Why there are no sandboxes. */
  problem?: string;
}

/** `serve` is what an image does: the application is built, and nothing is installed. */
export type Mode = "start" | "dev" | "serve";

export interface Server extends Supervised {
  report: Report;
}

interface Options {
  root: string;
  mode: Mode;
  /** Where this machine reaches it. */
  url: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
  /** Gives up waiting for the server, and ends it. */
  signal?: AbortSignal;
}

const OPENED = '"msg":"sandboxes are open"';
const NOT_OPENED = '"msg":"sandboxes could not be opened"';
const START_PATIENCE_MS = 90_000;
const STOP_PATIENCE_MS = 30_000;

export async function startServer({ root, mode, url, env, onLine, signal }: Options): Promise<Server> {
  const child = spawn(process.execPath, [path.join(root, "front/main.ts")], {
    cwd: root,
    env: {
      ...env,
      NEXT_TELEMETRY_DISABLED: "1",
      ...(mode === "serve" && { __NEXT_PRIVATE_STANDALONE_CONFIG: await builtConfig(root) }),
    },
    // A group of its own: Ctrl-C in the terminal reaches the launcher, which ends things in order. The channel tells
    // the server when the launcher is gone.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const report: Report = {};
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // Later than its exit: all it said has been heard.
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const early: string[] = [];
  let ready = false;
  let last: string | undefined;
  const hear = (text: string) => {
    last = fatalSentence(text) ?? last;
    if (text.includes(OPENED)) Object.assign(report, { quota: JSON.parse(text).quota });
    if (text.includes(NOT_OPENED)) Object.assign(report, { problem: JSON.parse(text).err.message });
    if (ready) onLine(text);
    else early.push(text);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", hear);
  }
  try {
    await waitUntilReady(child, url, early, signal);
  } catch (error) {
    await stop(child, exited);
    endGroup(child);
    await closed;
    throw last ? new FinalEnd(last) : error;
  }
  ready = true;
  early.filter(isWarning).forEach(onLine);
  const ended = exited.then(async () => {
    endGroup(child);
    await closed;
    if (last) throw new FinalEnd(last);
    return child.signalCode
      ? `was ended by ${child.signalCode}`
      : `ended by itself (exit code ${child.exitCode})`;
  });
  ended.catch(() => undefined);
  return { report, ended, stop: () => stop(child, exited) };
}

/** An image has no next.config.ts: what it said when the application was built is handed to Next as its own server.js does. */
async function builtConfig(root: string): Promise<string> {
  const manifest = await readFile(path.join(root, ".next/required-server-files.json"), "utf8");
  return JSON.stringify(JSON.parse(manifest).config);
}

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  output: string[],
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server did not start:\n${output.join("\n")}`);
    }
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(
        `The server did not answer within ${START_PATIENCE_MS / 1000} s:\n${output.join("\n")}`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  );
}

/** A server that gives a reason before it ends would give it again. */
function fatalSentence(text: string): string | undefined {
  return text.startsWith("{") && text.includes('"level":"fatal"') ? JSON.parse(text).msg : undefined;
}

/** What an operator should see although it was said before the server was ready; why there are no sandboxes is said elsewhere. */
function isWarning(text: string): boolean {
  return /^\{"level":"(warn|error)"/.test(text) && !text.includes(NOT_OPENED);
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
  await exited;
  clearTimeout(timer);
}

/** What the server started itself, such as the workers of a build in development, must not outlive it. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
