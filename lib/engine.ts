import { env } from "#env.ts";
import { connectEngine, engineVersion } from "#sandbox/docker/connect-engine.ts";
import { perProcess } from "./per-process.ts";

const engine = perProcess<ReturnType<typeof connectEngine>>("engine");

/** Resolves when the sandboxes' engine answers. */
export async function pingEngine(): Promise<void> {
  const { DOCKER_HOST, DOCKER_CERT_PATH } = env();
  await engineVersion(engine.get(() => connectEngine(DOCKER_HOST, DOCKER_CERT_PATH)));
}
