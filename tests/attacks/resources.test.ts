// SECURITY.md 6 and 7: memory that hides in files, CPUs and descriptors.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
beforeAll(async () => {
  all = await testSandboxes();
});
afterAll(() => all.cleanUp());

const python = (code: string) => all.sh("ann", `python3 - <<'CODE'\n${code}\nCODE`);

describe("6. /dev/shm, memfd and /tmp filled", () => {
  test("/dev/shm, /tmp and memfd are bounded, and the program is told", async () => {
    expect(
      await all.sh(
        "ann",
        "dd if=/dev/zero of=/dev/shm/a bs=1M count=200 2>&1 | grep -o 'No space left.*'; rm /dev/shm/a",
      ),
    ).toBe("No space left on device");
    expect(
      await all.sh(
        "ann",
        "dd if=/dev/zero of=/tmp/a bs=1M count=200 2>&1 | grep -o 'No space left.*'; rm /tmp/a",
      ),
    ).toBe("No space left on device");
    const sandbox = await all.sandboxes.open("ann");
    const memfd = `python3 -c "
import os
f = os.memfd_create('x')
for _ in range(4000): os.write(f, b'x' * 1048576)"`;
    expect((await sandbox.run(memfd)).status).toBe("oom");
    expect(await all.sh("ann", "echo lives")).toBe("lives");
  });

  test("/tmp runs out of inodes before the host's memory does", async () => {
    const answer = await python(`
import os
made = 0
try:
    while made < 200000:
        open(f"/tmp/i{made}", "w").close()
        made += 1
except OSError as error:
    print(error.strerror, made < 20000)
os.system("find /tmp -name 'i*' -delete")`);
    expect(answer).toBe("No space left on device True");
  });
});

describe("7. Spinners and file descriptors", () => {
  test("four spinners use one CPU's worth", async () => {
    const spin = `python3 - <<'CODE'
import os, time
end = time.monotonic() + 3
for _ in range(4):
    if os.fork() == 0:
        while time.monotonic() < end: pass
        os._exit(0)
for _ in range(4): os.wait()
spent = os.times()
print(round(spent.children_user + spent.children_system, 2))
CODE`;
    expect(Number(await all.sh("ann", spin))).toBeLessThan(3.6);
  });

  test("a million file descriptors end with EMFILE", async () => {
    const answer = await python(`
import os
files = []
try:
    while len(files) < 1000000: files.append(os.open("/dev/null", 0))
except OSError as error:
    print(error.strerror, len(files) < 10000)`);
    expect(answer).toBe("Too many open files True");
  });
});
