// The disk under the artifacts loses what it held, or gives back other bytes: every door says so by name, and hands out the rest.
import { rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { type Artifact, madeArtifacts } from "../support/made-artifacts.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { unzip } from "../support/zips.ts";

const own = ownCove();
let ada: Caller;
let cookie: string;
let made: Record<"gone" | "short" | "changed" | "whole", Artifact>;
let figure: Artifact;
let run: string;

const lost = (name: string) =>
  `The contents of “${name}” (version 1) are lost: they are no longer on the server's disk, or damaged.`;
const asPage = (address: string, init: RequestInit = {}) =>
  fetch(`${own.cove.url}${address}`, { ...init, headers: { cookie } });

beforeAll(async () => {
  ada = await own.caller();
  cookie = await sessionCookie(own.cove.url, ada.email);
  const files = await madeArtifacts(
    ada,
    "for name in gone short changed whole; do printf 'bytes of %s' $name > $name.txt; done",
  );
  const byName = (name: string) => files.find((file) => file.path.endsWith(`/${name}.txt`)) as Artifact;
  made = {
    gone: byName("gone"),
    short: byName("short"),
    changed: byName("changed"),
    whole: byName("whole"),
  };
  const code = [
    "import matplotlib.pyplot as plt",
    "plt.plot([1, 2])",
    "plt.show()",
    "print('kept text')",
  ].join("\n");
  const { body } = await ada.execute("execute_python", { code, timeout: 60 });
  expect(body).toMatchObject({ status: "completed", results: [{ mime: "image/png" }] });
  run = body.execution_id;
  figure = body.artifacts[0];
  await rm(await blobOf(made.gone));
  await truncate(await blobOf(made.short), 3);
  await writeFile(await blobOf(made.changed), "bytes of another");
  await rm(await blobOf(figure));
});

describe("contents of artifacts lost", () => {
  test.each(["gone", "short", "changed"] as const)(
    "%s: said by name by session, token and link",
    async (which) => {
      const { id, url } = made[which];
      const address = `/artifacts/${id}/${which}.txt`;
      const asOwner = { headers: { authorization: `Bearer ${ada.token}` } };
      for (const answer of [
        await asPage(address),
        await asPage(`${address}?download`),
        await asPage(`/api/artifacts/${id}/preview/x`),
        await fetch(`${own.cove.url}${address}`, asOwner),
        await fetch(`${own.cove.url}${address}`, { headers: { ...asOwner.headers, range: "bytes=0-1" } }),
        await fetch(url),
      ]) {
        expect([answer.status, await answer.json()]).toEqual([
          410,
          { error: { code: "gone", message: lost(`${which}.txt`) } },
        ]);
      }
      const page = await asPage(`/artifacts/${id}`);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining("are lost: they are no"),
      ]);
    },
  );

  test("said by name to models, for text, resources and pictures", async () => {
    const client = await mcpClient(own.cove.url, ada.token);
    try {
      const resource = client.readResource({ uri: `artifact://${made.gone.id}` });
      await expect(resource).rejects.toThrow(lost("gone.txt"));
      for (const [id, name] of [
        [made.gone.id, "gone.txt"],
        [figure.id, path.posix.basename(figure.path)],
      ] as const) {
        const answer = await client.callTool({ name: "get_artifact", arguments: { id } });
        expect(answer).toMatchObject({ isError: true, content: [{ text: lost(name) }] });
      }
    } finally {
      await client.close();
    }
    expect(await ada.execute("get_artifact", { id: made.gone.id })).toMatchObject({
      status: 410,
      body: { error: { code: "gone", message: lost("gone.txt") } },
    });
  });

  test("a zip has the rest, and a note that names what is missing", async () => {
    const ids = Object.values(made).map(({ id }) => id);
    const zip = await unzip(await asPage(`/api/artifacts/zip?ids=${ids.join(",")}`));
    expect(Object.keys(zip).sort()).toEqual(["LEFT-OUT.txt", "whole.txt"]);
    expect(zip["whole.txt"]).toBe("bytes of whole");
    for (const which of ["gone", "short", "changed"])
      expect(zip["LEFT-OUT.txt"]).toContain(`${which}.txt: ${lost(`${which}.txt`)}`);
  });

  test("a notebook of the history has the rest, and says where a picture was", async () => {
    const notebook = await asPage(`/api/history/export?format=ipynb&ids=${run}`);
    expect(notebook.status).toBe(200);
    const text = await notebook.text();
    expect(text).toContain("kept text");
    expect(text).toContain("[image/png: lost from the server's disk]");
  });

  test("what is made again is there again", async () => {
    await madeArtifacts(ada, "printf 'bytes of gone' > again.txt");
    const answer = await asPage(`/artifacts/${made.gone.id}/gone.txt`);
    expect([answer.status, await answer.text()]).toEqual([200, "bytes of gone"]);
  });
});

/** Where the contents are kept, by their hash, which is the entity tag. */
async function blobOf({ id }: Artifact): Promise<string> {
  const { headers } = await asPage(`/artifacts/${id}/x`, { method: "HEAD" });
  const hash = Buffer.from(headers.get("etag")?.slice(1, -1) ?? "", "base64url").toString("hex");
  return path.join(own.cove.dataDir, "blobs", hash.slice(0, 2), hash);
}
