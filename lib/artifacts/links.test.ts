import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { insertArtifacts } from "#db/queries/artifact-changes.ts";
import { insertUser } from "#db/queries/users.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { followLink, revokeLinks, signedUrl } from "./links.ts";

const own = ownDatabase();
const NOW = Date.UTC(2026, 0, 1);
let userId: string;
let id: string;
let link: { expires: number; signature: string };

beforeAll(async () => {
  userId = (await insertUser(own.client.db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
  const sha256 = createHash("sha256").update("content").digest();
  const about = { door: "rest", source: "file", path: "/workspace/a.txt", name: "a.txt", pathKey: sha256 };
  const what = { mime: "text/plain", kind: "text", size: 7, sha256 };
  const [kept] = await insertArtifacts(own.client.db, userId, [{ ...about, ...what }], 2 ** 30);
  if (typeof kept !== "object") throw new Error("It could not be kept.");
  id = kept.row.id;
  const { searchParams } = new URL(signedUrl(kept.row, 60, NOW));
  link = {
    expires: Number(searchParams.get("expires")),
    signature: searchParams.get("signature") ?? "",
  };
});

test("a link opens until the second it expires, and not from then on", async () => {
  expect(link.expires).toBe(NOW / 1000 + 60);
  await expect(followLink(id, link, NOW)).resolves.toMatchObject({ id });
  await expect(followLink(id, link, NOW + 59_999)).resolves.toMatchObject({ id });
  await expect(followLink(id, link, NOW + 60_000)).rejects.toMatchObject({ code: "not_found" });
});

test("the time of expiry and the artifact are part of what is signed", async () => {
  const longer = { ...link, expires: link.expires + 1 };
  await expect(followLink(id, longer, NOW)).rejects.toMatchObject({ code: "not_found" });
  const other = { ...link, signature: `${link.signature}x` };
  await expect(followLink(id, other, NOW)).rejects.toMatchObject({ code: "not_found" });
});

test("a revoked link opens nothing, however long it would have lasted", async () => {
  await revokeLinks(userId, id);
  await expect(followLink(id, link, NOW)).rejects.toMatchObject({ code: "not_found" });
});
