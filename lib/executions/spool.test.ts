import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { Spool, SpoolFull } from "./spool.ts";
import { encodeEnd, UnreadableEnd } from "./spooled-end.ts";

let directory: string;
let folder: string;
let spool: Spool;

beforeEach(async () => {
  directory = await temporaryDirectory();
  folder = path.join(directory, "spool");
  spool = new Spool(folder);
});

afterEach(() => rm(directory, { recursive: true }));

const whole = {
  ...{ status: "failed", exitCode: -9, stdout: Buffer.from([0, 0xff, 10]), stderr: Buffer.alloc(0) },
  ...{ truncated: true, durationMs: 12, cpuMs: null, memoryBytes: 2 ** 40, session: "s", restarted: false },
  ...{ results: '[{"text":"\\u0000"}]', deniedHosts: "[]", artifactsSkipped: "Not kept: \ud800 huge.bin." },
  ...{ result: "{}", idempotencyKey: null, words: ["one", "two"] },
} as const;

const ANOTHER = v7();

test("an end comes back as it was, also to the next server, and only its owner can read the file", async () => {
  const id = v7();
  await spool.put(id, { ...whole, words: [...whole.words] });
  const next = new Spool(folder);
  expect(await next.list()).toEqual([id]);
  expect(await next.read(id)).toEqual(whole);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(folder, `${id}.json`))).mode & 0o777).toBe(0o600);
  await next.remove(id);
  expect([await next.list(), await readdir(folder)]).toEqual([[], []]);
});

test("the oldest comes first, and what is not an end's file is not listed", async () => {
  const ids = [v7(), v7(), v7()];
  for (const id of ids.toReversed()) await spool.put(id, { status: "completed" });
  await writeFile(path.join(folder, `${v7()}.json.new`), "half");
  await writeFile(path.join(folder, "notes.json"), "{}");
  const next = new Spool(folder);
  expect(await next.list()).toEqual(ids);
  expect((await readdir(folder)).sort()).toEqual([...ids.map((id) => `${id}.json`), "notes.json"].sort());
});

test("that a run was interrupted doesn't take the place of an end", async () => {
  const id = v7();
  await spool.put(id, { status: "completed" });
  await spool.put(id, { status: "interrupted" });
  expect(await spool.read(id)).toEqual({ status: "completed" });
});

test("it has a most, which what is taken out no longer counts for", async () => {
  const small = new Spool(folder, { mostBytes: 2000 });
  const ids = [v7(), v7()] as const;
  const end = { status: "completed", stdout: Buffer.alloc(1000) };
  await small.put(ids[0], end);
  // The same one again takes no second place.
  await small.put(ids[0], end);
  await expect(small.put(ids[1], end)).rejects.toThrow(SpoolFull);
  await expect(new Spool(folder, { mostBytes: 2000 }).put(ids[1], end)).rejects.toThrow(
    "The spool of finished runs is full",
  );
  expect(await readdir(folder)).toEqual([`${ids[0]}.json`]);
  await small.remove(ids[0]);
  await small.put(ids[1], end);
  expect(await small.list()).toEqual([ids[1]]);
});

test.each([
  ["is empty", () => ""],
  ["is cut off", (whole: string) => whole.slice(0, -1)],
  ["has a status that there isn't", (whole: string) => whole.replace("completed", "running")],
  ["has bytes that are no base64", (whole: string) => whole.replace('"b3V0"', '"b3V"')],
  ["has fields that there aren't", (whole: string) => whole.replace('"end":{', '"end":{"userId":"x",')],
  ["is of another version", (whole: string) => whole.replace('"version":1', '"version":2')],
  ["is another run's", (whole: string) => whole.replace(/"id":"[^"]+"/, `"id":"${ANOTHER}"`)],
])("a file that %s is not an end, and can be set aside", async (_, change) => {
  const id = v7();
  await mkdir(folder);
  const content = encodeEnd(id, { status: "completed", stdout: Buffer.from("out") }).toString();
  expect(change(content)).not.toBe(content);
  await writeFile(path.join(folder, `${id}.json`), change(content));
  await expect(spool.read(id)).rejects.toThrow(UnreadableEnd);
  const aside = await spool.setAside(id);
  expect(await readFile(aside, "utf8")).toBe(change(content));
  expect(await spool.list()).toEqual([]);
  expect(await new Spool(folder).list()).toEqual([]);
});

test("what is set aside has a most, too, and the oldest goes first", async () => {
  const small = new Spool(folder, { mostBytesAside: 2500 });
  const ids = [v7(), v7(), v7()];
  for (const id of ids) {
    await small.put(id, { status: "completed", stdout: Buffer.alloc(700) });
    await small.setAside(id);
  }
  expect(await small.list()).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(ids.slice(1).map((id) => `${id}.json.unreadable`));
});

test("a link is not followed, and a file that went away is missed", async () => {
  const [link, lost] = [v7(), v7()];
  await mkdir(folder);
  const elsewhere = path.join(directory, "elsewhere");
  await writeFile(elsewhere, encodeEnd(link, { status: "completed" }));
  await symlink(elsewhere, path.join(folder, `${link}.json`));
  await expect(spool.read(link)).rejects.toThrow(UnreadableEnd);
  await expect(spool.read(lost)).rejects.toThrow(UnreadableEnd);
  await spool.setAside(lost);
});

test("what can't be written leaves nothing behind and takes no room", async () => {
  await writeFile(folder, "in the way");
  await expect(spool.put(v7(), { status: "completed" })).rejects.toThrow();
  await rm(folder);
  const id = v7();
  await spool.put(id, { status: "completed" });
  expect(await spool.list()).toEqual([id]);
});
