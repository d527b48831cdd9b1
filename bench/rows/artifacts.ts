// What keeping artifacts costs: noticing them in a full workspace, listing many, sending a large one.

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { insertArtifacts } from "#db/queries/artifact-changes.ts";
import {
  ARTIFACT_SORTS,
  type ArtifactFilter,
  type ArtifactSort,
  listArtifactConversations,
  listArtifacts,
} from "#db/queries/artifacts.ts";
import { insertUser } from "#db/queries/users.ts";
import { LocalBlobStore } from "#lib/blobs/local-blob-store.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { startCove } from "../../tests/support/cove.ts";
import { addPerson, addToken, databaseOf } from "../../tests/support/people.ts";
import { serverGrowth } from "../../tests/support/server-memory.ts";
import { temporaryDirectory } from "../../tests/support/temporary-directory.ts";
import { bash, withCove } from "../cove.ts";
import { contest, type Spread, spread, time } from "../measure.ts";
import type { Row } from "../row.ts";

const MB = 2 ** 20;
const FILES = 20_000;
const ARTIFACTS = 10_000;

const FILL = `import os
os.makedirs(".aside")
for d in range(200):
    os.makedirs("d%d" % d)
    for n in range(${FILES / 200}): open("d%d/%d" % (d, n), "w").close()`;

export const noticing: Row = {
  name: "noticing",
  what: `a file written among ${FILES.toLocaleString("en")} and noticed, over one in a hidden folder of an empty workspace`,
  bar: { atMost: 3 },
  unit: "ms",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({ disk: { bytes: 256 * MB } }, async ({ sandboxes }) => {
      const [full, empty] = [await sandboxes.open("ann"), await sandboxes.open("bob")];
      const filled = await full.run(`python3 -c '${FILL}'`, { timeoutMs: 120_000 });
      const made = await empty.run("mkdir .aside");
      if (filled.exitCode !== 0 || made.exitCode !== 0)
        throw new Error("The workspaces could not be filled.");
      const write = (sandbox: Sandbox, place: string, noticed: boolean) => async () => {
        const started = performance.now();
        const { exitCode, changes } = await sandbox.run(`echo 1 > ${place}/note`);
        const ms = performance.now() - started;
        if (exitCode !== 0 || changes.length !== Number(noticed)) throw new Error("Not what was written.");
        return ms;
      };
      const { ours, theirs } = await contest(
        Math.max(samples, 200),
        write(full, "d7", true),
        write(empty, ".aside", false),
        20,
      );
      return { value: ours.median - theirs.median, ms: ours, details: { noticed: ours, aside: theirs } };
    }),
};

export const keeping: Row = {
  name: "keeping",
  what: "the same through a door, copied and recorded as an artifact, over one in a hidden folder beside them",
  bar: { atMost: 10 },
  unit: "ms",
  // The same call through the server's door, to the same disk, with other contents each time: noticed, copied and recorded,
  // or none of it.
  measure: ({ samples }) =>
    withCove(
      async (door) => {
        await bash(door, `python3 -c '${FILL}'`, 120);
        const write = async (place: string, round: number) => {
          const started = performance.now();
          const answer = await bash(door, `echo ${round} > ${place}/note`);
          return { ms: performance.now() - started, kept: answer.includes(`/workspace/${place}/note`) };
        };
        // So many files at once take the daemon a look of its own, and what is loaded once is loaded with the first.
        for (let round = -1; !(await write("d7", round)).kept; round--) {
          if (round < -50) throw new Error("Files are not noticed.");
        }
        const times: Record<"kept" | "aside", number[]> = { kept: [], aside: [] };
        // In turns, so that whatever else the machine does weighs on both alike.
        for (let round = 0; round < samples; round++) {
          const [kept, aside] = [await write("d7", round), await write(".aside", round)];
          if (!kept.kept || aside.kept) throw new Error("What is kept and what isn't was mixed up.");
          times.kept.push(kept.ms);
          times.aside.push(aside.ms);
        }
        const details = { kept: spread(times.kept), aside: spread(times.aside) };
        return { value: details.kept.median - details.aside.median, ms: details.kept, details };
      },
      { COVE_SANDBOX_DISK: "256m" },
    ),
};

const VIEWS: Record<string, { filter?: ArtifactFilter; sort?: ArtifactSort }> = {
  ...Object.fromEntries(ARTIFACT_SORTS.map((sort) => [sort, { sort }])),
  "a kind": { filter: { kind: "image" } },
  "a kind there is none of": { filter: { kind: "video" } },
  "a rare door": { filter: { door: "openai" } },
  "a part of many names": { filter: { query: "plot" } },
  "a part of no name": { filter: { query: "nowhere" } },
};
const CHATS = 500;

export const gallery: Row = {
  name: "gallery",
  what: `what the first page of ${ARTIFACTS.toLocaleString("en")} artifacts from ${CHATS} chats asks for, the slowest filter`,
  bar: { atMost: 50 },
  unit: "ms",
  async measure({ samples }) {
    const dataDir = await temporaryDirectory();
    const postgres = await startEmbeddedPostgres(dataDir);
    const { db, close } = connect(postgres.url);
    try {
      await migrate(db);
      const user = await insertUser(db, { email: "bench@example.com", name: "Bench" });
      if (!user) throw new Error("The database is not empty.");
      await db.execute(sql`
        insert into conversations (id, user_id, title)
        select uuidv7(), ${user.id}, 'Chat ' || n from generate_series(1, ${CHATS}::int) as n`);
      // Two versions of each, so that there is something to pass over.
      await db.execute(sql`
        with chats as (select id, row_number() over () as n from conversations)
        insert into artifacts (id, user_id, conversation_id, door, source, path, name, path_key, version, latest, mime, kind, size, sha256, preview)
        select uuidv7(), ${user.id}, chats.id, case when a.n % 500 = 0 then 'openai' else 'chat' end, 'file',
          '/workspace/outputs/plot-' || a.n || '.png', 'plot-' || a.n || '.png', sha256(a.n::text::bytea), version, version = 2,
          'image/png', case when a.n % 3 = 0 then 'image' else 'text' end, a.n, sha256(a.n::text::bytea), repeat('x', 2000)
        from generate_series(1, ${ARTIFACTS}::int) as a(n), generate_series(1, 2) as version, chats
        where chats.n = 1 + a.n % ${CHATS}::int`);
      await db.execute(sql`vacuum analyze artifacts, conversations`);
      const details: Record<string, Spread> = {};
      for (const [name, { filter = {}, sort = "newest" }] of Object.entries(VIEWS)) {
        const times: number[] = [];
        for (let n = 0; n <= samples; n++)
          times.push(
            await time(() =>
              Promise.all([
                listArtifacts(db, user.id, filter, { sort, limit: 61 }),
                listArtifactConversations(db, user.id),
              ]),
            ),
          );
        // The first one reads from disk what the others find in memory.
        details[name] = spread(times.slice(1));
      }
      return { value: Math.max(...Object.values(details).map(({ median }) => median)), details };
    } finally {
      await close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

export const download: Row = {
  name: "1-GB-download",
  what: "an artifact of 1 GB sent to one client: growth of the server's resident size",
  bar: { atMost: 50 },
  unit: "MB",
  async measure() {
    const cove = await startCove();
    try {
      const userId = await addPerson(cove.dataDir, {
        email: "bench@example.com",
        name: "Bench",
        password: "-",
      });
      const authorization = `Bearer ${await addToken(cove.dataDir, userId)}`;
      const id = await putGigabyte(cove.dataDir, userId);
      const take = async (range?: string) => {
        const headers = { authorization, ...(range && { range }) };
        let bytes = 0;
        const { body } = await fetch(`${cove.url}/artifacts/${id}/big.bin`, { headers });
        for await (const part of body ?? []) bytes += part.length;
        return bytes;
      };
      // Once before, so that what is loaded on first use is no growth.
      await take(`bytes=0-${64 * MB - 1}`);
      const { grown, result } = await serverGrowth(cove, () => take());
      if (result !== 1024 * MB) throw new Error(`${result} bytes came.`);
      return { value: grown / MB, details: { bytes: result } };
    } finally {
      await cove.stop();
    }
  },
};

async function putGigabyte(dataDir: string, userId: string): Promise<string> {
  const part = Buffer.alloc(MB, "x");
  const content = Readable.from(
    (function* () {
      for (let n = 0; n < 1024; n++) yield part;
    })(),
    { objectMode: false },
  );
  const { sha256, size } = await new LocalBlobStore(path.join(dataDir, "blobs")).put(content);
  const pathKey = createHash("sha256").update("big.bin").digest();
  const type = { mime: "application/octet-stream", kind: "other" };
  const row = {
    door: "rest",
    source: "file",
    path: "/workspace/big.bin",
    name: "big.bin",
    pathKey,
    size,
    sha256,
    ...type,
  };
  const [kept] = await insertArtifacts((await databaseOf(dataDir)).db, userId, [row], 2 ** 40);
  if (kept === undefined || kept === "full") throw new Error("The artifact could not be kept.");
  return kept.row.id;
}
