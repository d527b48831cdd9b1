// Sandboxes whose server has only the gate, as in docker-compose.yml: everything works, and nothing else does.
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectEngine } from "#sandbox/connect-engine.ts";
import { openGate } from "#sandbox/gate/open-gate.ts";
import { newInstallation } from "../support/installation.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let gate: Server;
let all: TestSandboxes;
let gated: ReturnType<typeof connectEngine>;
beforeAll(async () => {
  const at = await newInstallation();
  const socket = join(at.dataDir, "gate.sock");
  gate = await openGate({ socket, engine: "/var/run/docker.sock", image: at.image });
  gated = connectEngine(`unix://${socket}`);
  all = await testSandboxes(
    { docker: gated, disk: { bytes: 64 * 2 ** 20, reserveBytes: 0, quota: "soft" }, warmPool: 1 },
    at,
  );
});
afterAll(async () => {
  await all.cleanUp();
  gate.close();
});

test("commands, Python and files work through it, before and after a stop", async () => {
  const sandbox = await all.sandboxes.open("ann");
  expect(await all.sh("ann", "echo hello > note && cat note")).toBe("hello");
  expect((await sandbox.python("1 + 1")).results).toMatchObject([{ text: "2" }]);
  await sandbox.files.write("large", Buffer.alloc(2 ** 20, 1));
  await all.sandboxes.stop("ann");
  expect(await all.sh("ann", "cat note; stat -c %s large")).toBe("hello\n1048576");
  await all.sandboxes.destroy("ann");
  expect(await all.sandboxes.status("ann")).toBeUndefined();
});

test("somebody else's container can't be looked at, entered or removed", async () => {
  const others = await all.at.docker.createContainer({ Image: all.at.image, Entrypoint: ["/bin/true"] });
  try {
    const container = gated.getContainer(others.id);
    const refused = { statusCode: 403, message: expect.stringContaining("This container is not Cove's.") };
    await expect(container.inspect()).rejects.toMatchObject(refused);
    await expect(container.exec({ Cmd: ["id"], User: "0:0" })).rejects.toMatchObject(refused);
    await expect(container.attach({ stream: true, hijack: true, stdin: true })).rejects.toThrow();
    await expect(container.remove({ force: true })).rejects.toMatchObject(refused);
  } finally {
    await others.remove();
  }
});

test("an exec that others made can't be joined, and images can't be built", async () => {
  await expect(gated.getExec("0".repeat(64)).start({})).rejects.toMatchObject({ statusCode: 403 });
  await expect(gated.pull("debian")).rejects.toMatchObject({ statusCode: 403 });
});
