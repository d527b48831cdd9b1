import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

export type CommandOptions = {
  signal?: AbortSignal;
  /** Replaces the environment; without it the command sees this process's own. */
  env?: Record<string, string>;
  onLine?: (line: string) => void;
  /** Takes standard output as it is, instead of line by line. */
  onStdout?: (stdout: Readable) => Promise<unknown>;
};

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Runs a program of the host's to its end. A failure carries the last lines it printed. */
export async function hostCommand(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<void> {
  const { signal, env, onLine, onStdout } = options;
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    // Some programs (unshare) read over a polite request while their child works.
    killSignal: "SIGKILL",
    ...(signal && { signal }),
    ...(env && { env: bare(env) }),
  });
  const tail: string[] = [];
  const collect = (line: string) => {
    tail.push(line);
    if (tail.length > 15) tail.shift();
    onLine?.(line);
  };
  const ended = new Promise<number | string>((resolve, reject) => {
    // One that is told to stop has ended only when its pipes are closed: until then it may still write files.
    child.once("error", (error) => child.pid === undefined && reject(error));
    child.once("close", (code, killedBy) => resolve(code ?? killedBy ?? "an unknown signal"));
  });
  const consumed = Promise.all([
    onStdout ? onStdout(child.stdout) : eachLine(child.stdout, collect),
    eachLine(child.stderr, collect),
  ]);
  consumed.catch(() => child.kill("SIGKILL"));
  const [end, consumption] = await Promise.allSettled([ended, consumed]);
  signal?.throwIfAborted();
  if (end.status === "rejected") {
    throw new Error(`\`${command}\` can't be started: is it installed?`, { cause: end.reason });
  }
  if (consumption.status === "rejected") throw consumption.reason;
  if (end.value !== 0) throw new Error([`\`${command}\` ended with ${end.value}:`, ...tail].join("\n"));
}

async function eachLine(stream: Readable, take: (line: string) => void): Promise<void> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) take(line.trimEnd());
  }
  if (rest.trim()) take(rest.trimEnd());
}

/** Next declares NODE_ENV to be in every environment; a bare one has none. */
function bare(variables: Record<string, string>): NodeJS.ProcessEnv {
  const env: Record<string, string> = { PATH: SYSTEM_PATH, ...variables };
  return env as NodeJS.ProcessEnv;
}
