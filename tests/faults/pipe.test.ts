// The pipe breaks, by accident or by the hand of the code inside: calls go on, or end with a clear status, and
// the next one works.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
let ann: Sandbox;
beforeEach(async () => {
  all = await testSandboxes();
  ann = await all.sandboxes.open("ann");
  await ann.run("echo kept > /workspace/note");
});
afterEach(() => all.cleanUp());

const kept = () => all.sh("ann", "cat /workspace/note");
const bootTime = () => all.sh("ann", "stat -c %Y /proc/1");

test("a relay that is killed mid-run costs nothing: all output arrives, once", async () => {
  const before = await bootTime();
  const running = ann.run("for i in $(seq 50); do echo $i; sleep 0.02; done");
  await ann.run("sleep 0.3; pkill -9 nc");
  const { status, stdout } = await running;
  expect(status).toBe("completed");
  expect(stdout.toString()).toBe(Array.from({ length: 50 }, (_, index) => `${index + 1}\n`).join(""));
  expect(await bootTime()).toBe(before);
});

test("a file that is being read and one that is being written go on over a killed relay, byte for byte", async () => {
  const MB = 2 ** 20;
  const data = randomBytes(16 * MB);
  await ann.files.write("/workspace/source", data);
  const { stream } = await ann.files.openRead("/workspace/source");
  const target = await ann.files.openWrite("/workspace/target");
  const read: Buffer[] = [];
  let size = 0;
  let kills = 0;
  for await (const part of stream) {
    read.push(part);
    size += part.length;
    if (!target.write(part)) await once(target, "drain");
    // Twice, well into both files and with more to come.
    if (kills < 2 && size > (kills + 1) * 4 * MB) {
      kills++;
      await ann.run("pkill -9 -x nc");
    }
  }
  target.end();
  await target.result;
  expect(kills).toBe(2);
  expect(Buffer.concat(read).equals(data)).toBe(true);
  expect((await ann.files.read("/workspace/target", { maxBytes: data.length })).equals(data)).toBe(true);
});

test("code that kills the relay again and again doesn't keep the next calls from working", async () => {
  await ann.run("(while :; do pkill -9 nc; sleep 0.05; done) > /dev/null 2>&1 &").catch(() => undefined);
  for (let round = 0; round < 5; round++) {
    await expect.poll(() => kept().catch(() => "not yet"), { timeout: 30_000, interval: 300 }).toBe("kept");
  }
  const long = await ann.run("sleep 3; echo done").catch((error) => error);
  expect(["completed", "interrupted", "disconnected"]).toContain(long.status ?? long.code);
  await expect.poll(() => kept().catch(() => "not yet"), { timeout: 30_000, interval: 300 }).toBe("kept");
});

test("a socket that was taken away leads to a restart, and the workspace is intact", async () => {
  await ann.run("rm -f /run/cove/coved.sock; pkill -9 nc").catch(() => undefined);
  await expect.poll(() => kept().catch(() => "not yet"), { timeout: 50_000, interval: 500 }).toBe("kept");
});

test("a socket that somebody else answers on is not believed", async () => {
  const impostor = `python3 - > /dev/null 2>&1 <<'CODE' &
import os, socket
os.unlink("/run/cove/coved.sock")
server = socket.socket(socket.AF_UNIX)
server.bind("/run/cove/coved.sock")
server.listen()
open("/tmp/ready", "w").close()
while True:
    client, _ = server.accept()
    client.sendall(b'{"ok": true}' * 1000)
CODE
while [ ! -e /tmp/ready ]; do sleep 0.05; done; pkill -9 nc`;
  await ann.run(impostor).catch(() => undefined);
  await expect.poll(() => kept().catch(() => "not yet"), { timeout: 50_000, interval: 500 }).toBe("kept");
});

test("the fate of one sandbox's pipe is no other's", async () => {
  await all.sh("bob", "true");
  await ann.run("rm -f /run/cove/coved.sock; pkill -9 nc").catch(() => undefined);
  const started = performance.now();
  expect(await all.sh("bob", "echo fine")).toBe("fine");
  expect(performance.now() - started).toBeLessThan(10_000);
});
