import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertExecution } from "#db/queries/executions.ts";
import { insertUser } from "#db/queries/users.ts";
import { FileError, type RichResult, type Sandbox } from "#sandbox/index.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { blobs, provideBlobs } from "../blobs/blobs.ts";
import { LocalBlobStore } from "../blobs/local-blob-store.ts";
import { sweepBlobs } from "../blobs/sweep-blobs.ts";
import { harvest, type Origin } from "./harvest.ts";
import { artifactLimits } from "./limits.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { openArtifact } from "./open-artifact.ts";
import { readArtifactText } from "./read-artifact-text.ts";
import { withHarvest } from "./show-harvest.ts";

const own = ownDatabase();
let folder: string;
let people = 0;

beforeAll(async () => {
  folder = await temporaryDirectory();
  provideBlobs(new LocalBlobStore(folder));
});
afterAll(() => rm(folder, { recursive: true }));

test("files become artifacts with what they are and where they come from", async () => {
  const origin = await newOrigin();
  const files = {
    "/workspace/a.csv": "x,y\n1,2\n",
    "/workspace/d/run.py": "print(1)",
    "/workspace/raw": "\0\x01",
  };
  const { rows, skipped } = await harvest(origin, holding(files), { paths: Object.keys(files) });
  expect(skipped).toBeUndefined();
  expect(rows).toMatchObject([
    {
      path: "/workspace/a.csv",
      name: "a.csv",
      kind: "table",
      mime: "text/csv",
      preview: "x,y\n1,2\n",
      version: 1,
    },
    { name: "run.py", kind: "code", mime: "text/plain", preview: "print(1)" },
    { name: "raw", kind: "other", mime: "application/octet-stream", preview: null },
  ]);
  const opened = await openArtifact(origin.userId, rows[1]?.id ?? "");
  expect(opened.provenance).toMatchObject({
    door: "mcp",
    execution: { id: origin.executionId, tool: "execute_bash", code: "make it", language: "bash" },
  });
});

test("pictures and HTML of a cell are artifacts in their place, again only once", async () => {
  const origin = await newOrigin();
  const results: RichResult[] = [
    { mime: "text/plain", value: false, text: "words" },
    { mime: "image/png", value: false, data: Buffer.from("png") },
    { mime: "image/svg+xml", value: false, text: "<svg/>" },
    { mime: "text/html", value: true, text: "<table border></table>" },
    { mime: "text/html", value: false, text: `<TABLE>${"x".repeat(200_000)}</TABLE>` },
    { mime: "text/html", value: false, text: "<p>words</p>" },
  ];
  const first = await harvest(origin, holding({}), { paths: [], results });
  expect(first.rows.map(({ name, kind }) => [name, kind])).toEqual([
    ["figure-1.png", "image"],
    ["figure-2.svg", "image"],
    ["table-1.html", "html"],
    ["table-2.html", "html"],
    ["page-1.html", "html"],
  ]);
  const view = withHarvest({ results: results.map(({ mime, text }) => ({ mime, text })) }, first);
  expect(view.results.map((result) => Object.keys(result))).toEqual([
    ["mime", "text"],
    ["mime", "artifact_id"],
    ["mime", "artifact_id"],
    ["mime", "text", "artifact_id"],
    ["mime", "artifact_id"],
    ["mime", "text", "artifact_id"],
  ]);
  const second = await harvest(origin, holding({}), { paths: [], results });
  expect(second.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  const other = await harvest({ ...(await newOrigin()), userId: origin.userId }, holding({}), {
    paths: [],
    results,
  });
  expect(other.rows.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
});

test("what is too large, too many or too much is left out and named, the rest is kept", async () => {
  const origin = await newOrigin();
  const files = { "/workspace/big": "x".repeat(11), "/workspace/a": "aaaa", "/workspace/b": "bbbb" };
  const more = { "/workspace/c": "cccc", "/workspace/d": "d", "/workspace/e": "e", "/workspace/f": "f" };
  const all = { ...files, ...more };
  const limits = { ...artifactLimits(), fileBytes: 10, runBytes: 10, runFiles: 4 };
  const { rows, skipped } = await harvest(
    origin,
    holding(all),
    { paths: Object.keys(all), more: true },
    limits,
  );
  expect(rows.map(({ name }) => name)).toEqual(["a", "b", "d", "e"]);
  for (const part of ["big (larger than", "c (more than", "f (more than 4 files", "too many files changed"])
    expect(skipped).toContain(part);
});

test("that there were more changes than are known is told, even if none is", async () => {
  const { rows, skipped } = await harvest(await newOrigin(), holding({}), { paths: [], more: true });
  expect(rows).toEqual([]);
  expect(skipped).toContain("too many files changed");
});

test("a full space keeps nothing more, and nothing of it on disk", async () => {
  const origin = await newOrigin();
  const limits = { ...artifactLimits(), userBytes: 5000 };
  const files = { "/workspace/one": "12345678", "/workspace/two": "abcdefgh" };
  const { rows, skipped } = await harvest(origin, holding(files), { paths: Object.keys(files) }, limits);
  expect(rows.map(({ name }) => name)).toEqual(["one"]);
  expect(skipped).toContain("but still in the workspace: two (your artifacts fill");
  const results: RichResult[] = [{ mime: "image/png", value: false, data: Buffer.from("png") }];
  const lost = await harvest(origin, holding({}), { paths: [], results }, limits);
  expect(lost.results.size).toBe(0);
  expect(lost.skipped).toMatch(
    /^Shown once and not kept, save them to files: figure-1\.png \(your artifacts/,
  );
  const left = [];
  for await (const some of blobs().list()) left.push(...some);
  expect(await sweepBlobs()).toBe(0);
  expect(left.length).toBeGreaterThan(0);
});

test("a host's disk that is almost full keeps nothing more, and says whose it is to mend", async () => {
  const kept = blobs();
  provideBlobs(new LocalBlobStore(folder, { reserveBytes: Number.MAX_SAFE_INTEGER }));
  const files = { "/workspace/one": "1" };
  const results: RichResult[] = [{ mime: "image/png", value: false, data: Buffer.from("png") }];
  const { rows, skipped } = await harvest(await newOrigin(), holding(files), {
    paths: Object.keys(files),
    results,
  });
  provideBlobs(kept);
  expect(rows).toEqual([]);
  expect(skipped).toMatch(/workspace: one \(the server's disk is.*files: figure-1\.png \(the server's disk/);
});

test("files that grow, vanish, turn into something else or never end are left out", async () => {
  const origin = await newOrigin();
  const limits = { ...artifactLimits(), fileBytes: 1000 };
  const patience = new AbortController();
  const growing = () => ({ size: 1, stream: Readable.from([Buffer.alloc(600), Buffer.alloc(600)]) });
  // Patience ends while it is being read.
  const endless = (signal?: AbortSignal) => ({
    size: 1,
    stream: new Readable({ read: () => patience.abort(), signal }),
  });
  const refused = () => {
    throw new FileError("path_refused", "link", "It is a symbolic link.");
  };
  const files = { "/workspace/good": "good", "/workspace/growing": growing, "/workspace/link": refused };
  const sandbox = holding({ ...files, "/workspace/endless": endless, "/workspace/after": "after" });
  const paths = ["good", "growing", "link", "gone", "endless", "after"].map((name) => `/workspace/${name}`);
  const { rows, skipped } = await harvest(origin, sandbox, { paths }, limits, patience.signal);
  expect(rows.map(({ name }) => name)).toEqual(["good"]);
  expect(skipped).toMatch(/growing \(larger.*endless, after \(copying them took too long/);
});

test("a sandbox that can't be reached costs the artifacts, not the result, and leaves nothing behind", async () => {
  const origin = await newOrigin();
  const broken = () => {
    throw new Error("The pipe is gone.");
  };
  const sandbox = holding({ "/workspace/lost": "a lost one", "/workspace/broken": broken });
  const { rows, skipped } = await harvest(origin, sandbox, {
    paths: ["/workspace/lost", "/workspace/broken"],
  });
  expect(rows).toEqual([]);
  expect(skipped).toContain("could not be kept");
  expect(await sweepBlobs()).toBe(1);
});

test("names that are no text are kept apart and shown inert", async () => {
  const origin = await newOrigin();
  const files = {
    "/workspace/\udcff": "one",
    "/workspace/\udcfe": "two",
    "/workspace/a\n\u202egpj.exe": "three",
  };
  const { rows } = await harvest(origin, holding(files), { paths: Object.keys(files) });
  expect(rows.map(({ name, version }) => [name, version])).toEqual([
    ["\\xff", 1],
    ["\\xfe", 1],
    ["a\\u000a\\u202egpj.exe", 1],
  ]);
  expect((await listArtifacts(origin.userId)).items).toHaveLength(3);
  expect((await readArtifactText(origin.userId, rows[1]?.id ?? "")).text).toBe("two");
});

type Fake = string | ((signal?: AbortSignal) => { size: number; stream: Readable });

/** A workspace of these files, as far as copying them goes. */
function holding(files: Record<string, Fake>): Pick<Sandbox, "files"> {
  const openRead: Sandbox["files"]["openRead"] = async (path, { signal } = {}) => {
    const file = files[path];
    if (file === undefined) throw new FileError("not_found", path, "There is no such file.");
    const opened =
      typeof file === "string"
        ? { size: file.length, stream: Readable.from([Buffer.from(file)]) }
        : file(signal);
    return { ...opened, modifiedMs: 0 };
  };
  return { files: { openRead } as Sandbox["files"] };
}

async function newOrigin(): Promise<Origin & { userId: string }> {
  const email = `person-${people++}@example.com`;
  const user = await insertUser(own.client.db, { email, name: "Test" });
  const userId = user?.id ?? "";
  const executionId = v7();
  const call = { tool: "execute_bash", arguments: '{"command":"make it"}', status: "running" };
  await insertExecution(own.client.db, { id: executionId, userId, door: "mcp", ...call });
  return { userId, executionId, door: "mcp" };
}
