// `node scripts/engine-gate.ts <socket> [image]`: the gate of docker-compose.yml, between the server and the engine. Nobody
// behind it may build, so the sandbox image is built here unless one is named.
import { env } from "#env.ts";
import { ensureImage } from "#sandbox/build-image.ts";
import { connectEngine, engineVersion } from "#sandbox/connect-engine.ts";
import { openGate } from "#sandbox/gate/open-gate.ts";
import { fail, line, step } from "./steps.ts";

const ENGINE = "/var/run/docker.sock";

const [socket, named] = process.argv.slice(2);
if (!socket) fail("usage: engine-gate.ts <socket> [image]");

try {
  const engine = connectEngine(`unix://${ENGINE}`);
  await step("Docker engine", async (s) => s.label(`Docker engine ${await engineVersion(engine)}`));
  const image =
    named ?? env().COVE_SANDBOX_IMAGE ?? (await step("Sandbox image", () => ensureImage(engine))).tag;
  const gate = await openGate({ socket, image, engine: ENGINE });
  line(`The gate is open at ${socket} for ${image}.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => gate.close(() => process.exit(0)));
} catch (error) {
  fail(error);
}
