// Sandboxes whose server has only the gate, as in docker-compose.yml: everything works, and nothing else does.

import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { relay } from "#sandbox/docker/dial-exec.ts";
import { dockerClient } from "#sandbox/docker/docker-client.ts";
import { openGate } from "#sandbox/docker/gate/open-gate.ts";
import { runHelper } from "#sandbox/docker/helper-container.ts";
import { dockerEngine } from "#sandbox/index.ts";
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
    {
      engine: dockerEngine({ docker: gated }),
      disk: { bytes: 64 * 2 ** 20, reserveBytes: 0, quota: "soft" },
      warmPool: 1,
    },
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
    const refused = {
      statusCode: 403,
      message: expect.stringContaining("This container is not this installation's."),
    };
    await expect(container.inspect()).rejects.toMatchObject(refused);
    await expect(container.exec({ Cmd: [...relay], User: "20000:20000" })).rejects.toMatchObject(refused);
    await expect(container.attach({ stream: true, hijack: true, stdin: true })).rejects.toThrow();
    await expect(container.remove({ force: true })).rejects.toMatchObject(refused);
  } finally {
    await others.remove();
  }
});

test("another installation's things are as foreign, and a name that was ours may not be any more", async () => {
  const name = `cove-${randomUUID()}`;
  const like = (cove: string) => ({ name, Image: all.at.image, Labels: { cove }, Entrypoint: ["/bin/true"] });
  const mine = await all.at.docker.createContainer(like(all.at.installation));
  expect((await gated.getContainer(name).inspect()).Id).toBe(mine.id);
  await mine.remove();
  await expect(gated.getContainer(name).inspect()).rejects.toMatchObject({ statusCode: 404 });
  const theirs = await all.at.docker.createContainer(like("another"));
  const volume = await all.at.docker.createVolume({ Name: name, Labels: { cove: "another" } });
  try {
    await expect(gated.getContainer(name).inspect()).rejects.toMatchObject({ statusCode: 403 });
    await expect(gated.getContainer(name).remove()).rejects.toMatchObject({ statusCode: 403 });
    await expect(gated.getVolume(name).remove()).rejects.toMatchObject({ statusCode: 403 });
    const labels = { cove: "another" };
    await expect(gated.createVolume({ Name: `${name}-2`, Labels: labels })).rejects.toMatchObject({
      statusCode: 403,
    });
    await expect(gated.listContainers({ all: true })).rejects.toMatchObject({ statusCode: 403 });
    const helper = { client: dockerClient(gated), installation: all.at.installation, image: all.at.image };
    const mounts = [{ Type: "volume" as const, Source: name, Target: "/volume" }];
    await expect(runHelper(helper, { script: "ls /volume", mounts })).rejects.toThrow(
      "not this installation's",
    );
  } finally {
    await theirs.remove();
    await volume.remove();
  }
});

test("an exec that others made can't be joined, and images can't be built", async () => {
  await expect(gated.getExec("0".repeat(64)).start({})).rejects.toMatchObject({ statusCode: 403 });
  await expect(gated.pull("debian")).rejects.toMatchObject({ statusCode: 403 });
});
