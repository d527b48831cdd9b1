// SECURITY.md 12 and 13: a workspace that is filled, and trees that are too large, too deep or too many.

import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { stateOf } from "../support/sandboxes-of-test.ts";

let all: TestSandboxes;
beforeAll(async () => {
  all = await testSandboxes();
});
afterAll(() => all.cleanUp());

describe("12. A workspace that is filled", () => {
  test("writing past the quota fails with ENOSPC, and deleting makes room again", async () => {
    const fill = await all.sh("ann", "dd if=/dev/zero of=/workspace/big bs=1M count=500 2>&1");
    expect(fill).toContain("No space left on device");
    expect(await all.sh("ann", "echo works")).toBe("works");
    const ann = await all.sandboxes.open("ann");
    await expect(ann.files.write("/workspace/upload", Buffer.alloc(2 ** 20))).rejects.toMatchObject({
      code: "no_space",
    });
    expect(
      await all.sh("bob", "dd if=/dev/zero of=/workspace/mine bs=1M count=20 2>&1 && echo written"),
    ).toContain("written");
    await ann.files.remove("/workspace/big");
    await ann.files.write("/workspace/upload", Buffer.alloc(2 ** 20));
    expect((await ann.files.stat("/workspace/upload")).size).toBe(2 ** 20);
  });

  test("a full disk survives being stopped and started", async () => {
    await all.sh("ann", "dd if=/dev/zero of=/workspace/big bs=1M count=500 2>&1");
    await all.sandboxes.reset("ann");
    expect(await all.sh("ann", "rm /workspace/big && df --output=pcent /workspace | tail -1")).toMatch(
      /^\s*\d%$/,
    );
  });

  test("running out of inodes fails the same way, and deleting makes room again", async () => {
    const make = `python3 - <<'CODE'
import os
os.makedirs("/workspace/many")
made = 0
try:
    while True:
        open(f"/workspace/many/{made}", "x").close()
        made += 1
except OSError as error:
    print(error.strerror)
CODE`;
    expect(await all.sh("ann", make)).toBe("No space left on device");
    expect(await all.sh("ann", "echo works")).toBe("works");
    expect(await all.sh("bob", "touch /workspace/one && echo made")).toBe("made");
    expect(await all.sh("ann", "rm -r /workspace/many && touch /workspace/one && echo made")).toBe("made");
  });

  test("the host's disk holds no more than the quota, whatever is written and deleted", async () => {
    for (let round = 0; round < 3; round++) {
      await all.sh(
        "ann",
        "dd if=/dev/urandom of=/workspace/big bs=1M count=500 2>/dev/null; rm /workspace/big",
      );
    }
    const { sandboxes, dataDir, sh } = all;
    await sandboxes.stop("ann");
    const kilobytes = Number(execFileSync("du", ["-sk", dataDir]).toString().split("\t")[0]);
    expect(kilobytes).toBeLessThan(2 * 65 * 1024);
    expect(await sh("ann", "echo works")).toBe("works");
  });

  test("what is written and deleted goes back to the host as soon as the sandbox rests", async () => {
    const large = await testSandboxes({
      disk: { bytes: 2 ** 30, reserveBytes: 0, quota: "hard" },
      idle: { pauseAfterMs: 1, stopAfterMs: 0, everyMs: 200 },
    });
    const megabytes = () =>
      Number(
        execFileSync("du", ["-sm", `${large.dataDir}/disks`])
          .toString()
          .split("\t")[0],
      );
    const write = "dd if=/dev/zero of=/workspace/big bs=1M count=400 2>&1; sync -f /workspace";
    try {
      await large.sh("ann", `${write}; rm /workspace/big; echo kept > /workspace/note`, 60_000);
      await expect.poll(() => stateOf(large, "ann"), { timeout: 60_000 }).toBe("paused");
      await expect.poll(megabytes, { timeout: 60_000 }).toBeLessThan(60);
      expect(await large.sh("ann", "cat /workspace/note; df --output=pcent /workspace | tail -1")).toMatch(
        /^kept\n\s*\d%$/,
      );
      await large.sh("ann", `${write}; rm /workspace/big`, 60_000);
      await large.sandboxes.stop("ann");
      expect(megabytes()).toBeLessThan(60);
      expect(await large.sh("ann", "cat /workspace/note")).toBe("kept");
      expect(large.warnings).toEqual([]);
    } finally {
      await large.cleanUp();
    }
  });
});

describe("13. Files and trees of absurd size", () => {
  test("a 100 GB sparse file is listed with its size and refused for reading whole", async () => {
    const ann = await all.sandboxes.open("ann");
    await ann.run("mkdir -p /workspace/s; truncate -s 100G /workspace/s/sparse");
    const { entries } = await ann.files.list("/workspace/s");
    expect(entries.map(({ name, size }) => [name, size])).toEqual([["sparse", 100 * 2 ** 30]]);
    await expect(ann.files.read("/workspace/s/sparse")).rejects.toMatchObject({ code: "too_large" });
  });

  test("70,000 files are listed in pages, each once, and removed in one go", async () => {
    const large = await testSandboxes({ disk: { bytes: 2 ** 31, reserveBytes: 0, quota: "hard" } });
    try {
      const ann = await large.sandboxes.open("ann");
      await ann.run("mkdir many && cd many && seq 70000 | xargs touch", { timeoutMs: 60_000 });
      const names = new Set<string>();
      let after: string | undefined;
      do {
        const page = await ann.files.list("/workspace/many", after === undefined ? {} : { after });
        expect(page.entries.length).toBeLessThanOrEqual(1000);
        for (const { name } of page.entries) names.add(name);
        after = page.next;
      } while (after !== undefined);
      expect(names.size).toBe(70_000);
      await ann.files.remove("/workspace/many", { recursive: true });
      expect((await ann.files.list("/workspace")).entries.map(({ name }) => name)).not.toContain("many");
    } finally {
      await large.cleanUp();
    }
  });

  test("a tree 3,000 levels deep can be made, looked at and deleted", async () => {
    const ann = await all.sandboxes.open("ann");
    const made = await ann.run(`python3 - <<'CODE'
import os
os.makedirs("/workspace/deep", exist_ok=True)
os.chdir("/workspace/deep")
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
CODE`);
    expect(made.status).toBe("completed");
    const { entries } = await ann.files.list("/workspace/deep");
    expect(entries.map(({ name }) => name)).toEqual(["d"]);
    await ann.files.remove("/workspace/deep", { recursive: true });
    await expect(ann.files.stat("/workspace/deep")).rejects.toMatchObject({ code: "not_found" });
  });
});
