import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { insertArtifacts, type Kept, type NewArtifact } from "#db/queries/artifact-changes.ts";
import { insertUser } from "#db/queries/users.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { blobs, provideBlobs } from "../blobs/blobs.ts";
import { LocalBlobStore } from "../blobs/local-blob-store.ts";
import { sweepBlobs } from "../blobs/sweep-blobs.ts";
import { deleteArtifacts } from "./delete-artifacts.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { openArtifact } from "./open-artifact.ts";
import { readArtifactText } from "./read-artifact-text.ts";
import { zipArtifacts } from "./zip-artifacts.ts";

const own = ownDatabase();
let ada: string;
let bob: string;

beforeAll(async () => {
  const folder = await temporaryDirectory();
  provideBlobs(new LocalBlobStore(folder));
  ada = await person("ada@example.com");
  bob = await person("bob@example.com");
  return () => rm(folder, { recursive: true });
});

describe("versions", () => {
  test("the same content is no new version, other content is, and lists show the newest", async () => {
    const user = await person("versions@example.com");
    const first = await keep(user, "/workspace/a.txt", "one");
    expect(await keep(user, "/workspace/a.txt", "one")).toMatchObject({ fresh: false, row: { version: 1 } });
    const second = await keep(user, "/workspace/a.txt", "two");

    expect((await listArtifacts(user)).items.map(({ id, version }) => [id, version])).toEqual([
      [idOf(second), 2],
    ]);
    const opened = await openArtifact(user, idOf(first));
    expect(opened.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect((await readArtifactText(user, idOf(first))).text).toBe("one");
  });

  test("many writers of one path each get a number of their own", async () => {
    const user = await person("writers@example.com");
    await Promise.all(Array.from({ length: 8 }, (_, n) => keep(user, "/workspace/b.txt", `content ${n}`)));
    const [item] = (await listArtifacts(user)).items;
    expect(item?.version).toBe(8);
    expect((await openArtifact(user, item?.id ?? "")).versions).toHaveLength(8);
  });

  test("deleting the newest alone brings the one before it back", async () => {
    const user = await person("back@example.com");
    await keep(user, "/workspace/c.txt", "one");
    const second = await keep(user, "/workspace/c.txt", "two");
    expect(await deleteArtifacts(user, [idOf(second)], { onlyThese: true })).toBe(1);
    expect((await listArtifacts(user)).items.map(({ version }) => version)).toEqual([1]);
  });

  test("what doesn't fit into the user's space is refused, and only that", async () => {
    const user = await person("full@example.com");
    const row = (path: string, size: number) => ({ ...artifact(path, v7()), size });
    const given = [row("/a", 60_000), row("/b", 60_000), row("/c", 40_000)];
    const kept = await insertArtifacts(own.client.db, user, given, 100_000);
    expect(kept.map((one) => (typeof one === "string" ? one : "kept"))).toEqual(["kept", "full", "kept"]);
  });

  test("many tiny ones fill the space, too", async () => {
    const user = await person("tiny@example.com");
    const room = 3 * 4096;
    const put = async (n: number) =>
      (await insertArtifacts(own.client.db, user, [{ ...artifact(`/${n}`, v7()), size: 1 }], room))[0];
    const kept = [await put(1), await put(2), await put(3), await put(4)];
    expect(kept.map((one) => one === "full")).toEqual([false, false, false, true]);
  });
});

describe("a list", () => {
  test.each(["newest", "oldest", "name", "largest"] as const)(
    "by %s has every row once, page by page",
    async (sort) => {
      const user = await person(`${sort}@example.com`);
      for (let n = 0; n < 23; n++) await keep(user, `/workspace/É${n % 3}/${"x".repeat(n % 4)}.txt`, `${n}`);
      const all = (await listArtifacts(user, { sort })).items.map(({ id }) => id);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listArtifacts(user, { sort, limit: 5, cursor });
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      expect(paged).toEqual(all);
      expect(new Set(all).size).toBe(all.length);
    },
  );

  test("is narrowed by kind and by a part of the name", async () => {
    const user = await person("narrow@example.com");
    await keep(user, "/workspace/Report 100%.txt", "a");
    await keep(user, "/workspace/other.txt", "b");
    expect((await listArtifacts(user, { query: "report 100%" })).items).toHaveLength(1);
    expect((await listArtifacts(user, { query: "%" })).items).toHaveLength(1);
    expect((await listArtifacts(user, { kind: "image" })).items).toEqual([]);
  });

  test("refuses a cursor that isn't its own", async () => {
    await expect(listArtifacts(ada, { cursor: "nonsense" })).rejects.toThrow("cursor");
    const other = Buffer.from(JSON.stringify([v7(), "name"])).toString("base64url");
    await expect(listArtifacts(ada, { cursor: other })).rejects.toThrow("cursor");
  });
});

test("somebody else's artifacts can't be opened, read, packed or deleted", async () => {
  const id = idOf(await keep(ada, "/workspace/secret.txt", "secret"));
  await expect(openArtifact(bob, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(readArtifactText(bob, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(zipArtifacts(bob, [id])).rejects.toMatchObject({ code: "not_found" });
  expect(await deleteArtifacts(bob, [id])).toBe(0);
  expect((await listArtifacts(bob)).items).toEqual([]);
  expect((await readArtifactText(ada, id)).text).toBe("secret");
});

test("a zip holds each file once under a name that stays inside", async () => {
  const user = await person("zip@example.com");
  const ids = [
    idOf(await keep(user, "/workspace/d/a.txt", "one")),
    idOf(await keep(user, "/workspace/d/a.txt", "two")),
    idOf(await keep(user, "../../etc/passwd", "no")),
  ];
  const bytes = await buffer(await zipArtifacts(user, ids));
  const text = bytes.toString("latin1");
  expect(text).toContain("d/a.txt");
  expect(text).toContain("d/a (version 1).txt");
  expect(text).toContain("etc/passwd");
  expect(text).not.toContain("../");
});

describe("blobs", () => {
  test("go when nobody refers to them any more, and not before", async () => {
    const user = await person("sweep@example.com");
    const kept = await keep(user, "/workspace/shared.txt", "shared content");
    const other = await keep(ada, "/workspace/shared.txt", "shared content");
    const hash = createHash("sha256").update("shared content").digest();
    await deleteArtifacts(user, [idOf(kept)]);
    expect(await blobs().has(hash)).toBe(true);
    await deleteArtifacts(ada, [idOf(other)]);
    expect(await blobs().has(hash)).toBe(false);
  });

  test("that are put while a sweep runs are kept", async () => {
    const user = await person("race@example.com");
    let sweeping = true;
    const sweeps = (async () => {
      while (sweeping) await sweepBlobs();
    })();
    const kept: Kept[] = [];
    // The same contents come and go, so that a sweep finds them unreferenced just as they are put again.
    for (let n = 0; n < 40; n++) {
      const one = await keep(user, `/workspace/${n}.txt`, `race ${n % 4}`);
      if (n % 2 === 0) await deleteArtifacts(user, [idOf(one)]);
      else kept.push(one);
      await sleep(1);
    }
    sweeping = false;
    await sweeps;
    for (const one of kept) expect((await readArtifactText(user, idOf(one))).text).toMatch(/^race/);
  });
});

async function person(email: string): Promise<string> {
  const user = await insertUser(own.client.db, { email, name: "Test", passwordHash: "none" });
  return user?.id ?? "";
}

async function keep(userId: string, path: string, content: string): Promise<Kept> {
  const blob = await blobs().put(Buffer.from(content));
  try {
    const given = { ...artifact(path, content), size: blob.size, sha256: blob.sha256 };
    const [kept] = await insertArtifacts(own.client.db, userId, [given], 2 ** 30);
    return kept ?? "full";
  } finally {
    blob.release();
  }
}

function artifact(path: string, content: string): Omit<NewArtifact, "userId"> {
  return {
    door: "rest",
    source: "file",
    path,
    name: path.split("/").at(-1) ?? "",
    pathKey: createHash("sha256").update(path).digest(),
    mime: "text/plain",
    kind: "text",
    size: content.length,
    sha256: createHash("sha256").update(content).digest(),
  };
}

function idOf(kept: Kept): string {
  return typeof kept === "string" ? kept : kept.row.id;
}
