import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertArtifacts } from "#db/queries/artifact-changes.ts";
import { finishExecution, insertExecution } from "#db/queries/executions.ts";
import { insertUser } from "#db/queries/users.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { blobs, provideBlobs } from "../blobs/blobs.ts";
import { LocalBlobStore } from "../blobs/local-blob-store.ts";
import { runOutputs } from "./run-output.ts";

const own = ownDatabase();
const PICTURE = Buffer.from("not really a picture");
let folder: string;
let ada: string;

beforeAll(async () => {
  folder = await temporaryDirectory();
  provideBlobs(new LocalBlobStore(folder));
  ada = (await insertUser(own.client.db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
});
afterAll(() => rm(folder, { recursive: true }));

test("pictures come from where they are kept: bytes as base64, drawings as text", async () => {
  const png = await keep("figure-1.png");
  const svg = await keep("figure-2.svg");
  const id = await run([
    { mime: "text/plain", text: "42" },
    { mime: "image/png", artifact_id: png },
    { mime: "image/svg+xml", artifact_id: svg },
    { mime: "image/png", artifact_id: v7() },
  ]);
  expect((await runOutputs(ada, [id])).get(id)).toEqual({
    stdout: "printed",
    stderr: "",
    results: [
      { mime: "text/plain", text: "42" },
      { mime: "image/png", data: PICTURE.toString("base64") },
      { mime: "image/svg+xml", text: PICTURE.toString() },
      { mime: "text/plain", text: "[image/png: no longer there]" },
    ],
  });
});

test("what doesn't fit any more is left out with a word, and what is smaller still fits", async () => {
  const picture = await keep("large.png");
  const first = await run([{ mime: "image/png", artifact_id: picture }]);
  const second = await run([{ mime: "text/plain", text: "small" }]);
  const outputs = await runOutputs(ada, [first, second], 25);
  expect(outputs.get(first)?.results).toMatchObject([{ text: expect.stringContaining("left out") }]);
  expect(outputs.get(second)?.results).toEqual([{ mime: "text/plain", text: "small" }]);
  const none = await runOutputs(ada, [first], 3);
  expect(none.get(first)).toMatchObject({ stdout: "", results: [{ mime: "text/plain" }] });
});

test("somebody else's run has no output here", async () => {
  const bob = (await insertUser(own.client.db, { email: "bob@example.com", name: "Bob" }))?.id ?? "";
  expect(await runOutputs(bob, [await run([])])).toEqual(new Map());
});

async function run(results: object[]): Promise<string> {
  const id = v7();
  const call = { tool: "execute_python", arguments: "{}", status: "running" };
  await insertExecution(own.client.db, { id, userId: ada, door: "console", ...call });
  const stdout = Buffer.from("printed");
  await finishExecution(own.client.db, id, { status: "completed", stdout, results: JSON.stringify(results) });
  return id;
}

async function keep(name: string): Promise<string> {
  const { sha256, size, release } = await blobs().put(PICTURE);
  const pathKey = createHash("sha256").update(name).digest();
  const about = { door: "console", source: "result", mime: "image/png", kind: "image" };
  const [kept] = await insertArtifacts(
    own.client.db,
    ada,
    [{ ...about, name, path: name, pathKey, size, sha256 }],
    1e6,
  );
  release();
  return typeof kept === "object" ? kept.row.id : "";
}
