// The disk under everything runs full: a file system of the test's own, thin, so that nobody else's fills.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, statfs, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const MB = 2 ** 20;
/** What Cove keeps free for the workspaces that are there. */
const RESERVE = 1024 * MB;
let folder: string;
let cove: Cove;
let ada: Resident;
const mounted = () => path.join(folder, "mounted");
const dataDir = () => path.join(mounted(), "data");
const filler = () => path.join(mounted(), "filler");

beforeAll(async () => {
  folder = await temporaryDirectory();
  const image = path.join(folder, "disk.img");
  await writeFile(image, "");
  await truncate(image, 3072 * MB);
  execFileSync("mkfs.ext4", ["-q", "-F", "-m0", "-E", "nodiscard,lazy_itable_init=1", image]);
  await mkdir(mounted());
  execFileSync("mount", ["-o", "loop,noinit_itable", image, mounted()]);
  await chmod(mounted(), 0o755);
  cove = await startCove({ COVE_DATA_DIR: dataDir(), COVE_WARM_POOL: "1" });
  ada = await newResident(cove);
  await bash("echo kept > note");
});
afterAll(async () => {
  await cove?.stop();
  await removeInstallation(dataDir());
  execFileSync("umount", [mounted()]);
  await rm(folder, { recursive: true });
});

describe("host disk full", () => {
  test("workspaces go on up to their quota, new people and uploads are refused clearly, until there is room", async () => {
    // Whoever comes first gets the one that is ready; after that there is nothing to give.
    await fillUpTo(300 * MB);
    await newCaller(cove).then((first) => first.execute("execute_bash", { command: "true" }));

    const wrote = await bash("head -c 40M /dev/urandom > data; sync; sha256sum < data; cat note");
    expect(wrote).toMatch(/^[0-9a-f]{64} .*\nkept\n$/s);
    expect(await bash("dd if=/dev/zero of=more bs=1M count=100 2>&1 || rm more")).toContain(
      "No space left on device",
    );

    const bob = await newCaller(cove);
    const refused = await bob.execute("execute_bash", { command: "true" });
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: {
          code: "unavailable",
          message: expect.stringMatching(/The server's disk is almost full .*operator/),
        },
      },
    });
    const upload = await fetch(`${cove.url}/api/files/content?path=upload.bin`, {
      method: "PUT",
      headers: { cookie: ada.cookie, origin: cove.url },
      body: new Uint8Array(MB),
    });
    expect([upload.status, (await upload.json()).error.message]).toEqual([
      503,
      expect.stringMatching(/almost full/),
    ]);

    // What was written is on the disk, not only in memory.
    await fetch(`${cove.url}/api/sandbox/restart`, {
      method: "POST",
      headers: { cookie: ada.cookie, origin: cove.url },
    });
    expect(await bash("sha256sum < data; cat note")).toBe(wrote);

    await rm(filler());
    expect((await bob.execute("execute_bash", { command: "echo room" })).body.stdout).toBe("room\n");
  });

  test("on a full disk nothing new is begun, at any door, and nothing is recorded; with room it goes on", async () => {
    const { db } = await databaseOf(dataDir());
    const recorded = async () => {
      const { rows } = await db.execute(
        sql`select (select count(*) from executions), (select count(*) from messages)`,
      );
      return rows[0];
    };
    const { id: conversation } = await ada.post("/api/conversations", {});
    const { id: console } = await ada.post("/api/console", {
      name: "Console",
      session: "default",
      cells: [],
    });
    await fillUpTo(100 * MB);

    const refusal = {
      code: "unavailable",
      message: expect.stringMatching(/The server's disk is almost full .*operator/),
    };
    // The last look at the disk is good for a second.
    await expect
      .poll(() => ada.execute("execute_bash", { command: "true" }), { timeout: 10_000, interval: 200 })
      .toMatchObject({ status: 503, body: { error: refusal } });
    const began = await recorded();
    const command = await ada.execute("execute_bash", { command: "touch ran" });
    expect(command).toMatchObject({ status: 503, body: { error: refusal } });
    const write = await ada.execute("write_file", { file_path: "ran", content: "x" });
    expect(write).toMatchObject({ status: 503, body: { error: refusal } });
    const headers = { cookie: ada.cookie, origin: cove.url, "content-type": "application/json" };
    const post = (place: string, body: unknown) =>
      fetch(cove.url + place, { method: "POST", headers, body: JSON.stringify(body) });
    const message = await post(`/api/conversations/${conversation}/turns`, {
      text: "```bash\ntouch ran\n```",
    });
    expect([message.status, await message.json()]).toEqual([503, { error: refusal }]);
    const cell = { id: "one", kind: "bash", code: "touch ran", session: "default" };
    expect(await (await post(`/api/console/${console}/run`, cell)).text()).toContain("disk is almost full");
    const client = await mcpClient(cove.url, ada.token);
    await expect(
      client.callTool({ name: "execute_bash", arguments: { command: "touch ran" } }),
    ).resolves.toMatchObject({
      isError: true,
      content: [{ text: refusal.message }],
    });
    await client.close();
    // Reading goes on.
    expect((await ada.execute("list_files")).status).toBe(200);
    expect(await recorded()).toEqual(began);
    expect((await fetch(`${cove.url}/health`)).status).toBe(200);

    await rm(filler());
    await expect
      .poll(() => ada.execute("execute_bash", { command: "ls" }), { timeout: 10_000, interval: 200 })
      .toMatchObject({ status: 200, body: { stdout: expect.not.stringContaining("ran") } });
  });
});

async function fillUpTo(left: number): Promise<void> {
  const free = async () => {
    const { bavail, bsize } = await statfs(mounted());
    return bavail * bsize;
  };
  execFileSync("fallocate", ["-l", String((await free()) - left), filler()]);
  expect(await free()).toBeLessThan(RESERVE);
}

async function bash(command: string): Promise<string> {
  const { body } = await ada.execute("execute_bash", { command, timeout: 60 });
  expect(body).toMatchObject({ status: "completed" });
  return body.stdout;
}
