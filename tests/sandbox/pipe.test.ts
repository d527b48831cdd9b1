// The pipe through the real engine: the relay is killed, the socket unlinked or impersonated, the container killed.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  sandbox = await fixture.sandboxes.open("piper");
});
afterAll(() => fixture.cleanUp());

test("a killed relay is replaced, and the command that killed it goes on", async () => {
  const { bootId } = await sandbox.info();
  const result = await sandbox.run("echo before; pkill -9 -x nc; sleep 0.5; echo after");
  expect(result).toMatchObject({ status: "completed" });
  expect(String(result.stdout)).toBe("before\nafter\n");
  expect((await sandbox.info()).bootId).toBe(bootId);
  expect(await relays()).toBe(1);
});

test("a socket that was removed or replaced is taken back", async () => {
  const { bootId } = await sandbox.info();
  const impostor = `import os, socket, time
os.unlink("/run/cove/coved.sock")
s = socket.socket(socket.AF_UNIX); s.bind("/run/cove/coved.sock"); s.listen()
print("bound", flush=True); time.sleep(60)`;
  await sandbox.run("python3 -", { stdin: impostor, background: true });
  await sandbox.run("sleep 0.5; pkill -9 -x nc; sleep 1; rm -f /run/cove/coved.sock; pkill -9 -x nc");
  expect(String((await sandbox.run("echo back")).stdout)).toBe("back\n");
  expect((await sandbox.info()).bootId).toBe(bootId);
  await sandbox.run("pkill -9 python3");
  await sandbox.run(
    "cd /run/cove; rm coved.sock; mkdir -p coved.sock/x; chmod 000 /run/cove; pkill -9 -x nc",
  );
  expect(String((await sandbox.run("echo back again")).stdout)).toBe("back again\n");
  expect((await sandbox.info()).bootId).toBe(bootId);
});

test("code inside can't speak to the daemon", async () => {
  const knock = `import socket
s = socket.socket(socket.AF_UNIX); s.connect("/run/cove/coved.sock"); s.settimeout(2)
body = b'{"version":1,"session":"${"e".repeat(32)}","received":0}'
try:
    s.sendall(len(body).to_bytes(4, "big") + b"\\x01\\x00\\0\\0\\0\\0" + body)
    print(s.recv(100))
except OSError as error:
    print(b"")`;
  expect(String((await sandbox.run("python3 -", { stdin: knock })).stdout)).toBe("b''\n");
  expect(String((await sandbox.run("echo fine")).stdout)).toBe("fine\n");
});

test("a container killed mid-run gives an interrupted result, and the next call starts it again", async () => {
  const { bootId } = await sandbox.info();
  const container = await fixture.container("piper");
  const result = await sandbox.run("echo begun; sleep 30", { onOutput: () => container.kill() });
  expect(result).toMatchObject({ status: "interrupted" });
  expect(String(result.stdout)).toBe("begun\n");
  expect((await sandbox.info()).bootId).not.toBe(bootId);
});

async function relays(): Promise<number> {
  return Number((await sandbox.run("pgrep -c -x nc")).stdout);
}
