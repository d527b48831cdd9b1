// A workspace packed and unpacked elsewhere: on any kind of disk, for any uid, whatever is in it.
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { extract, pack as packTar } from "tar-stream";
import { expect, test } from "vitest";
import { DESCRIBE_ODD_FILES, MAKE_ODD_FILES } from "../support/odd-files.ts";
import type { TestSandboxes } from "../support/sandboxes.ts";
import { sandboxesOfTest } from "../support/sandboxes-of-test.ts";

const open = sandboxesOfTest();
const MB = 2 ** 20;
const disk = (quota: "hard" | "soft") => ({ disk: { bytes: 64 * MB, reserveBytes: 0, quota } });

async function pack({ sandboxes, dataDir }: TestSandboxes, userId: string): Promise<string> {
  const file = join(dataDir, `${randomUUID()}.tar`);
  expect(await sandboxes.pack(userId, createWriteStream(file))).toBe(true);
  return file;
}

test.each([
  ["hard", "soft"],
  ["soft", "hard"],
] as const)(
  "from a %s quota to a %s one everything is equal, and belongs to its new owner",
  async (from, to) => {
    const one = await open(disk(from));
    await one.sh("ada", MAKE_ODD_FILES);
    const before = await one.sh("ada", DESCRIBE_ODD_FILES);
    expect(before).toContain("thin");
    const running = await pack(one, "ada");
    expect((await stat(running)).size).toBeLessThan(2 * MB);
    await one.sandboxes.stop("ada");
    const resting = await pack(one, "ada");
    expect(await one.mounts()).toEqual([]);
    for (const entry of await entriesOf(resting)) expect([entry.uid, entry.gid]).toEqual([0, 0]);

    const other = await open(disk(to));
    // Another uid than the one the files had.
    await other.sh("bob", "true");
    await other.sh("ada", "true");
    await other.sandboxes.unpack("ada", createReadStream(running));
    expect(await other.sh("ada", DESCRIBE_ODD_FILES)).toBe(before);
    expect(await one.sh("ada", DESCRIBE_ODD_FILES)).toBe(before);
    expect(await other.sh("bob", "ls -A")).toBe("outputs");
  },
);

test("runs go on while it is packed, and what they change meanwhile doesn't break it", async () => {
  const all = await open();
  const sandbox = await all.sandboxes.open("ada");
  const changing = sandbox.run(
    "for n in $(seq 200); do echo $n > f$((n % 7)); rm -f f$((n % 5)); head -c 300K /dev/zero >> grow; done; echo done",
  );
  for (let n = 0; n < 3; n++) await pack(all, "ada");
  expect((await changing).stdout.toString()).toContain("done");
  expect(await all.sandboxes.pack("nobody", createWriteStream("/dev/null"))).toBe(false);
});

test("an archive that leads elsewhere is refused or stays inside, and one that is cut off is refused", async () => {
  const all = await open();
  await all.sh("ada", "true");
  const hostile = packTar();
  hostile.entry({ name: "../escaped", mode: 0o644 }, "x");
  hostile.entry({ name: "/workspace/../absolute", mode: 0o644 }, "x");
  hostile.entry({ name: "link", type: "symlink", linkname: "/tmp" });
  hostile.entry({ name: "link/through", mode: 0o644 }, "x");
  hostile.finalize();
  await all.sandboxes.unpack("ada", Readable.from(hostile)).catch(() => undefined);
  expect(await all.sh("ada", "ls /escaped /absolute /tmp/through 2>&1 | grep -c 'No such file'")).toBe("3");
  const whole = packTar();
  whole.entry({ name: "large", mode: 0o644 }, Buffer.alloc(100_000));
  whole.finalize();
  const cut = (await buffer(Readable.from(whole))).subarray(0, 50_000);
  await expect(all.sandboxes.unpack("ada", Readable.from([cut]))).rejects.toThrow(/helper container ended/);
});

async function entriesOf(file: string) {
  const headers: { uid?: number; gid?: number }[] = [];
  const archive = extract();
  createReadStream(file).pipe(archive);
  for await (const entry of archive) {
    headers.push(entry.header);
    entry.resume();
  }
  return headers;
}
