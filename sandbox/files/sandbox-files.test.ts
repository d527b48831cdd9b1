// Streams of files against a real daemon on this machine; what needs isolation is in tests/sandbox/files.test.ts.
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalCoved, startLocalCoved } from "../../tests/support/local-coved.ts";
import { WINDOW } from "../pipe/frames.ts";
import { connectPipe, type Pipe } from "../pipe/pipe.ts";
import { Sandbox } from "../sandbox.ts";

let coved: LocalCoved;
let pipe: Pipe;
let sandbox: Sandbox;
let inFlight = 0;
beforeAll(async () => {
  coved = await startLocalCoved();
  pipe = await connectPipe({ dial: coved.dial });
  sandbox = new Sandbox({
    id: "local",
    use: async (work) => {
      inFlight++;
      return work(pipe).finally(() => inFlight--);
    },
  });
});
afterAll(async () => {
  pipe.close();
  await coved.stop();
});

const random = randomBytes(5_000_000);

for (const [how, consume] of Object.entries({
  "an iterator": (stream: Readable) => buffer(stream),
  "a data listener": (stream: Readable) =>
    new Promise<Buffer>((resolve) => {
      const parts: Buffer[] = [];
      stream.on("data", (part) => parts.push(part)).on("end", () => resolve(Buffer.concat(parts)));
    }),
  "a slow pipeline": async (stream: Readable) => {
    const parts: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (part, _, done) => void setTimeout(() => done(parts.push(part) ? null : null), 1),
    });
    await pipeline(stream, slow);
    return Buffer.concat(parts);
  },
})) {
  test(`a large file is read whole by ${how}`, async () => {
    await sandbox.files.write("large", random);
    const { stream, size } = await sandbox.files.openRead("large");
    expect(size).toBe(random.length);
    expect(digest(await consume(stream))).toBe(digest(random));
  });
}

test("a reader that doesn't read gets no more than a window, and others aren't held up", async () => {
  await sandbox.files.write("large", random);
  const stuck = await sandbox.files.openRead("large");
  const other = await sandbox.files.read("large");
  expect(other.length).toBe(random.length);
  expect(stuck.stream.readableLength).toBeLessThanOrEqual(WINDOW);
  expect(inFlight).toBe(1);
  stuck.stream.destroy();
  await expect.poll(() => inFlight).toBe(0);
});

test("a part of a file", async () => {
  await sandbox.files.write("part", "0123456789");
  expect((await sandbox.files.read("part", { offset: 3, length: 4 })).toString()).toBe("3456");
  expect((await sandbox.files.read("part", { offset: 100 })).toString()).toBe("");
});

test("a file larger than the limit is refused before it is read", async () => {
  await sandbox.files.write("part", "0123456789");
  await expect(sandbox.files.read("part", { maxBytes: 5 })).rejects.toMatchObject({ code: "too_large" });
});

test("a stream written to its end is in its place, one given up leaves nothing", async () => {
  const folder = join(coved.roots, "workspace/streams");
  const whole = await sandbox.files.openWrite("streams/whole");
  await pipeline(Readable.from([random.subarray(0, 3_000_000), random.subarray(3_000_000)]), whole);
  expect(await whole.result).toEqual({ bytesWritten: random.length, size: random.length });
  expect(digest(await readFile(join(folder, "whole")))).toBe(digest(random));

  const half = await sandbox.files.openWrite("streams/whole");
  half.write(random.subarray(0, 1000));
  await new Promise((resolve) => setTimeout(resolve, 50));
  half.destroy();
  await expect(half.result).rejects.toMatchObject({ code: "io_error" });
  await expect.poll(() => readdir(folder)).toEqual(["whole"]);
  expect((await stat(join(folder, "whole"))).size).toBe(random.length);
  expect(inFlight).toBe(0);
});

test("a signal ends a read", async () => {
  const abort = new AbortController();
  const { stream } = await sandbox.files.openRead("large", { signal: abort.signal });
  abort.abort();
  await expect(buffer(stream)).rejects.toMatchObject({ name: "AbortError" });
});

test("what is given up before it begins opens nothing", async () => {
  const signal = AbortSignal.abort();
  await expect(sandbox.files.openRead("large", { signal })).rejects.toThrow("aborted");
  await expect(sandbox.files.openWrite("given-up/file", { signal })).rejects.toThrow("aborted");
  await expect(sandbox.files.write("given-up/file", "x", { signal })).rejects.toThrow("aborted");
  await expect(sandbox.files.list("given-up")).rejects.toMatchObject({ code: "not_found" });
});

test("many small files at once", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `many/${String(index).padStart(3, "0")}`);
  await Promise.all(names.map((name) => sandbox.files.write(name, name)));
  const contents = await Promise.all(names.map((name) => sandbox.files.read(name)));
  expect(contents.map(String)).toEqual(names);
});

test("a listing comes in pages that join up", async () => {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await sandbox.files.list("many", { limit: 7, after });
    found.push(...page.entries.map(({ name }) => name));
    after = page.next;
  } while (after);
  expect(found).toEqual(Array.from({ length: 200 }, (_, index) => String(index).padStart(3, "0")));
});

function digest(data: Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
