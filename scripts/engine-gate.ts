// `node scripts/engine-gate.ts <socket> <image> [<runtime>]`: the gate of docker-compose.yml, between the server and the engine.
import { openGate } from "#sandbox/gate/open-gate.ts";

const [socket, image, runtime] = process.argv.slice(2);
if (!socket || !image) {
  process.stderr.write("usage: engine-gate.ts <socket> <image> [<runtime>]\n");
  process.exit(1);
}
const gate = await openGate({ socket, image, runtime: runtime || undefined, engine: "/var/run/docker.sock" });
process.stdout.write(`The gate is open at ${socket} for ${image}.\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => gate.close(() => process.exit(0)));
