// The one place that chooses the engine; everybody else takes what is here.
import { env } from "#env.ts";
import { connectEngine, dockerEngine, type EngineConnection } from "#sandbox/index.ts";
import { perProcess } from "./per-process.ts";

const connection = perProcess<EngineConnection>("engine");

export function engine(): EngineConnection {
  return connection.get(() => {
    const { DOCKER_HOST, DOCKER_CERT_PATH, COVE_SANDBOX_RUNTIME } = env();
    return dockerEngine({
      docker: connectEngine(DOCKER_HOST, DOCKER_CERT_PATH),
      ...(COVE_SANDBOX_RUNTIME && { runtime: COVE_SANDBOX_RUNTIME }),
    });
  });
}

/** Where it answers, for people; throws with a sentence where it doesn't. */
export async function findEngine(): Promise<string> {
  const version = await engine().version();
  return `Docker ${version}, ${env().DOCKER_HOST ?? "on the local socket"}`;
}
