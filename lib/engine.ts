import { env } from "#env.ts";
import { connectEngine, engineVersion } from "#sandbox/connect-engine.ts";
import { perProcess } from "./per-process.ts";

const engine = perProcess<ReturnType<typeof connectEngine>>("engine");

/** Resolves when the sandboxes' engine answers. */
export async function pingEngine(): Promise<void> {
  await engineVersion(engine.get(() => connectEngine(env().DOCKER_HOST)));
}
