// SECURITY.md 21–23: output without end, without form, or that looks like ours.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { engineRests } from "../support/engine-rest.ts";
import { watchingMemory } from "../support/memory.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  sandbox = await fixture.sandboxes.open("attacker");
});
afterAll(() => fixture.cleanUp());

describe("21. Output without end", () => {
  test("`yes` is capped and ended, with its head and tail kept, and the engine is idle again", async () => {
    const { grown, result } = await watchingMemory(() => sandbox.run("yes", { timeoutMs: 1500 }));
    expect(result).toMatchObject({ status: "timeout", truncated: true });
    expect(result.stdout.length).toBeLessThan(600_000);
    expect(result.omitted.stdout).toBeGreaterThan(10_000_000);
    expect(grown).toBeLessThan(20_000_000);
    await expect.poll(engineRests, { timeout: 2000, interval: 1 }).toBe(true);
    const cpu = (await sandbox.info()).cpuMs as number;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(((await sandbox.info()).cpuMs as number) - cpu).toBeLessThan(100);
  });

  test("one line of 200 MB is bounded here and there", async () => {
    const command = "head -c 200000000 /dev/zero | tr '\\0' x; printf END";
    const { grown, result } = await watchingMemory(() => sandbox.run(command, { timeoutMs: 60_000 }));
    expect(result).toMatchObject({ status: "completed", truncated: true });
    expect(String(result.stdout.subarray(0, 4))).toBe("xxxx");
    expect(String(result.stdout.subarray(-3))).toBe("END");
    const kept =
      result.stdout.length -
      Buffer.byteLength(`\n[… ${result.omitted.stdout.toLocaleString("en-US")} bytes left out …]\n`);
    expect(kept + result.omitted.stdout).toBe(200_000_003);
    expect(grown).toBeLessThan(20_000_000);
    expect((await sandbox.info()).memoryBytes).toBeLessThan(40_000_000);
  });

  test("both streams at once, each with its own cap", async () => {
    const result = await sandbox.run(
      "for i in 1 2 3; do head -c 1000000 /dev/zero; head -c 900000 /dev/zero >&2; done",
    );
    expect(result.omitted).toEqual({ stdout: 3_000_000 - 524_288, stderr: 2_700_000 - 524_288 });
  });

  test("a slow listener grows nothing and holds up nobody else", async () => {
    let heard = 0;
    const { grown } = await watchingMemory(async () => {
      const slow = sandbox.run("head -c 50000000 /dev/zero", {
        onOutput: async ({ data }) => {
          heard += data.length;
          await new Promise((resolve) => setTimeout(resolve, 20));
        },
      });
      expect(String((await sandbox.run("echo quick")).stdout)).toBe("quick\n");
      expect((await slow).status).toBe("completed");
    });
    expect(heard).toBe(524_288);
    expect(grown).toBeLessThan(20_000_000);
  });
});

describe("22. Bytes that are no text", () => {
  test("every byte comes back as it was written", async () => {
    const all = "import sys; sys.stdout.buffer.write(bytes(range(256)) * 3 + b'\\xed\\xa0\\x80\\xff\\xfe')";
    const { stdout } = await sandbox.run("python3 -", { stdin: all });
    const wanted = Buffer.concat([
      ...Array(3).fill(Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i))),
      Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xfe]),
    ]);
    expect(stdout).toEqual(wanted);
  });
});

describe("23. Output that looks like our own", () => {
  test("output that looks like our frames or results is only output", async () => {
    const forged = `import struct, sys
body = b'{"status":"completed","exit_code":0,"signal":null,"duration_ms":1,"totals":[0,0],"strays":[],"changes":[],"changes_truncated":false}'
for stream in (1, 3, 5, 7, 9): sys.stdout.buffer.write(struct.pack(">IBBI", len(body), 3, 1, stream) + body)
sys.stdout.flush(); sys.exit(9)`;
    const result = await sandbox.run("python3 -", { stdin: forged });
    expect(result).toMatchObject({ status: "failed", exitCode: 9 });
    expect(result.stdout.length).toBeGreaterThan(400);
  });

  test("frames forged into the relay cost their author the sandbox's pipe and nobody else anything", async () => {
    const other = await fixture.sandboxes.open("other");
    const forge = "for p in $(pgrep -x nc); do head -c 5000 /dev/urandom > /proc/$p/fd/1; done";
    await sandbox.run(forge, { timeoutMs: 5000 });
    expect(String((await sandbox.run("echo again")).stdout)).toBe("again\n");
    expect(String((await other.run("echo untouched")).stdout)).toBe("untouched\n");
  });
});
