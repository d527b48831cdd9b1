import type { RunOptions, RunResult, Sandbox } from "#sandbox/index.ts";

/** Runs a command and resolves once it has printed something: what happens next happens to a run that goes on. */
export async function beginRun(
  sandbox: Sandbox,
  command: string,
  options: RunOptions = {},
): Promise<{ end: Promise<RunResult> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = sandbox.run(command, { ...options, onOutput: () => resolve() });
  await Promise.race([promise, end]);
  return { end };
}
