import { env } from "#env.ts";
import { connectEngine, engineVersion } from "#sandbox/connect-engine.ts";
import { onePerProcess } from "./one-per-process.ts";

/** Resolves when the sandboxes' engine answers. */
export async function pingEngine(): Promise<void> {
  await engineVersion(onePerProcess("engine", () => connectEngine(env().DOCKER_HOST)));
}
