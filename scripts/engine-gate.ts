// `node scripts/engine-gate.ts <socket>`: the gate of docker-compose.yml, between the server and the engine. Nobody behind it
// may build, so the sandbox image is built here unless COVE_SANDBOX_IMAGE names one.
import { env } from "#env.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine, engineVersion } from "#sandbox/docker/connect-engine.ts";
import { openGate } from "#sandbox/docker/gate/open-gate.ts";
import { fail, line, step } from "./steps.ts";

const ENGINE = "/var/run/docker.sock";

const [socket] = process.argv.slice(2);
if (!socket) fail("usage: engine-gate.ts <socket>");

try {
  const { COVE_SANDBOX_IMAGE, COVE_SANDBOX_RUNTIME } = env();
  const engine = connectEngine(`unix://${ENGINE}`);
  await step("Docker engine", async (s) => s.label(`Docker engine ${await engineVersion(engine)}`));
  const image = COVE_SANDBOX_IMAGE ?? (await step("Sandbox image", () => ensureImage(engine))).tag;
  const gate = await openGate({ socket, image, runtime: COVE_SANDBOX_RUNTIME, engine: ENGINE });
  line(`The gate is open at ${socket} for ${image}.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => gate.close(() => process.exit(0)));
} catch (error) {
  fail(error);
}
