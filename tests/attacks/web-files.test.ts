// SECURITY.md 12, 13 and 17 to 20 at the doors of the web: the same traps as in files.test.ts, with a whole server in between.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { pathToText } from "#lib/files/workspace-path.ts";
import { nameFromBytes } from "#sandbox/files/names.ts";
import { ownCove } from "../support/caller.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { serverGrowth } from "../support/server-memory.ts";
import { unzip } from "../support/zips.ts";
import { HOSTILE_NAMES } from "./hostile-names.ts";

const MB = 2 ** 20;
const own = ownCove({ COVE_SANDBOX_DISK: "600m" });
let ada: Resident;
beforeAll(async () => {
  ada = await newResident(own.cove);
  await bash(`mkdir -p traps/dir; cd traps
ln -s /etc/hostname to-file; ln -s / to-root; ln -s .. up; ln -s loop loop; ln -s /proc/1/environ environ
mkfifo fifo; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
ln -s /dev/zero zero; echo inside > dir/file; ln -s dir alias; echo tell nobody > /tmp/secret; ln -s /tmp/secret secret`);
});

const refused = [
  "to-file",
  "secret",
  "to-root/etc/hostname",
  "up/traps/dir/file",
  "alias/file",
  "loop",
  "environ",
]
  .concat("zero", "fifo", "socket")
  .map((name) => `traps/${name}`)
  .concat("/proc/1/environ", "../proc/1/environ", "traps/../../etc/hostname", "/dev/zero", "traps/dir");

describe("17. What is no regular file of the workspace", () => {
  test.each(refused)(
    "downloading, reading and packing %s is refused at once",
    async (path) => {
      for (const place of ["content", "text"]) {
        const { status, body } = await json(await at(`/api/files/${place}?${query(path)}`));
        expect([place, status, body.error.message]).toEqual([place, 400, expect.stringMatching(/\w/)]);
      }
      const zip = await at(`/api/files/zip?${query(path)}`);
      const packed = zip.status === 400 ? {} : await unzip(zip);
      for (const text of Object.values(packed)) expect(text).not.toMatch(/tell nobody|cove\n|PATH=/);
    },
    10_000,
  );
});

describe("18. Swapped directories, planted links and hostile archives", () => {
  test("uploading through a planted link, to a FIFO or a socket is refused and changes nothing", async () => {
    const places = ["secret", "to-root/tmp/planted", "alias/new", "loop", "environ", "to-root/workspace/new"];
    for (const name of [...places, "fifo/x", "socket/x"]) {
      for (const replace of ["", "&replace=yes"]) {
        const path = `/api/files/content?${query(`traps/${name}`)}${replace}`;
        const answer = await json(await at(path, { method: "PUT", body: "overwritten" }));
        expect([name, replace, answer.status]).toEqual([name, replace, expect.toBeOneOf([400, 409])]);
      }
    }
    const seen = await bash(
      "cat /tmp/secret; ls /tmp/planted new traps/dir 2>&1; test -L traps/secret && echo link",
    );
    expect(seen).toMatch(/^tell nobody\n.*No such file.*\n.*No such file.*\ntraps\/dir:\nfile\nlink\n$/s);
  });

  test("a directory that is swapped for a link while it is packed, read and written never leads out", async () => {
    const { body } = await ada.execute("execute_bash", {
      command: `mkdir -p swap/real; echo inside > swap/real/hostname; ln -s /etc swap/link; cp -r swap/real swap/now
touch swapping; while [ -e swapping ]; do mv -T swap/now swap/a; mv -T swap/link swap/now; mv -T swap/now swap/link; mv -T swap/a swap/now; done`,
      background: true,
      timeout: 100,
    });
    expect(body.status).toBe("running");
    const hostname = await bash("cat /etc/hostname");
    const outcomes = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const read = await at(`/api/files/content?${query("swap/now/hostname")}`);
      outcomes.add(read.ok ? await read.text() : String(read.status));
      const zip = await at(`/api/files/zip?${query("swap")}`);
      if (zip.ok) {
        const packed = await unzip(zip).catch(() => ({}));
        for (const [name, text] of Object.entries(packed)) if (/hostname/.test(name)) outcomes.add(text);
        expect(Object.keys(packed).filter((name) => /passwd|shadow|apt/.test(name))).toEqual([]);
      }
      await at(`/api/files/content?${query("swap/now/planted")}&replace=yes`, { method: "PUT", body: "x" });
    }
    await bash("rm swapping");
    expect(outcomes).not.toContain(hostname);
    expect([...outcomes].filter((one) => !["inside\n", "400", "404"].includes(one))).toEqual([]);
    expect(outcomes).toContain("inside\n");
    expect(await bash("ls /etc/planted 2>&1 || true")).toMatch(/No such file/);
  });
});

describe("19. Hostile names", () => {
  test.each(HOSTILE_NAMES)(
    "a name with %s is uploaded, listed, downloaded, packed and deleted",
    async (_what, bytes) => {
      const name = nameFromBytes(bytes);
      const path = `names/${name}`;
      expect((await at(`/api/files/content?${query(path)}`, { method: "PUT", body: "content" })).status).toBe(
        200,
      );
      expect(await bash("cd names && ls -A --zero | tr -d '\\0' | od -v -An -tx1 | tr -d ' \\n'")).toBe(
        bytes.toString("hex"),
      );
      const { body } = await json(await at(`/api/files?${query("names")}`));
      expect(body.entries.map((entry: { name: string }) => entry.name)).toEqual([name]);
      const download = await at(`/api/files/content?${query(path)}`);
      expect([await download.text(), download.headers.get("set-cookie")]).toEqual(["content", null]);
      expect(download.headers.get("content-disposition")).toMatch(/^attachment; /);
      expect(Object.values(await unzip(await at(`/api/files/zip?${query("names")}`)))).toContain("content");
      const headers = { "content-type": "application/json" };
      const deleted = await at("/api/files", {
        method: "DELETE",
        headers,
        body: JSON.stringify({ paths: [path] }),
      });
      expect([deleted.status, await bash("ls names; ls pwned 2>/dev/null || true")]).toEqual([200, ""]);
    },
  );
});

describe("12. A workspace that is filled", () => {
  test("an upload into it is refused with a sentence, deleting works, and so does the next command", async () => {
    await bash("fallocate -l 560M filler || dd if=/dev/zero of=filler bs=1M 2>/dev/null || true");
    const upload = () =>
      at(`/api/files/content?${query("upload")}`, { method: "PUT", body: randomBytes(64 * MB) });
    const { status, body } = await json(await upload());
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      "conflict",
      expect.stringMatching(/full|space/),
    ]);
    const headers = { "content-type": "application/json" };
    await at("/api/files", { method: "DELETE", headers, body: JSON.stringify({ paths: ["filler"] }) });
    expect((await upload()).status).toBe(200);
    expect(await bash("stat -c %s upload; rm upload")).toBe(`${64 * MB}\n`);
  });
});

describe("13. Files and trees of absurd size", () => {
  test("a 100 GB sparse file is listed with its size, refused for download and left out of a zip", async () => {
    await bash("mkdir -p sparse; truncate -s 100G sparse/hole; echo small > sparse/small");
    const { body } = await json(await at(`/api/files?${query("sparse")}`));
    expect(body.entries).toContainEqual(expect.objectContaining({ name: "hole", size: 100 * 2 ** 30 }));
    for (const place of ["content", "text"]) {
      const answer = await json(await at(`/api/files/${place}?${query("sparse/hole")}`));
      expect([place, answer.status, answer.body.error.code]).toEqual([place, 413, "too_large"]);
    }
    const zip = await unzip(await at(`/api/files/zip?${query("sparse")}`));
    expect(zip).toMatchObject({ "sparse/small": "small\n", "LEFT-OUT.txt": expect.stringMatching(/hole/) });
    expect(Object.keys(zip)).not.toContain("sparse/hole");
  });
});

describe("20. Large downloads to slow clients", () => {
  test("250 MB, ten at once: the server grows by less than 50 MB, and answers others meanwhile", async () => {
    await bash("head -c 250M /dev/urandom > film");
    const address = `/api/files/content?${query("film")}`;
    const ten = () => Promise.all(Array.from({ length: 10 }, () => at(address)));
    // Once before, and ten for a moment, so that what is loaded and laid out on first use is no growth.
    await (await at(address)).body?.pipeTo(new WritableStream());
    for (const { body } of await ten()) await body?.cancel();
    const { grown, result: taken } = await serverGrowth(own.cove, async () => {
      const clients = await ten();
      expect(clients.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const readers = clients.map(({ body }) => (body as ReadableStream<Uint8Array>).getReader());
      const sizes = readers.map(() => 0);
      const until = performance.now() + 8000;
      const reading = readers.map(async (reader, at) => {
        while (performance.now() < until) {
          sizes[at] = (sizes[at] ?? 0) + ((await reader.read()).value?.length ?? 0);
          await sleep(50);
        }
        await reader.cancel();
      });
      while (performance.now() < until) {
        expect((await fetch(`${own.cove.url}/health`)).status).toBe(200);
        expect(await bash("echo quick")).toBe("quick\n");
        await sleep(200);
      }
      await Promise.all(reading);
      return sizes;
    });
    for (const size of taken) expect(size).toBeGreaterThan(MB);
    expect(grown).toBeLessThan(50 * MB);
  });
});

function at(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(own.cove.url + path, {
    ...init,
    headers: { cookie: ada.cookie, origin: own.cove.url, ...init.headers },
  });
}

function query(path: string): string {
  return new URLSearchParams({ path: pathToText(path) }).toString();
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
async function json(response: Response): Promise<{ status: number; body: any }> {
  return { status: response.status, body: await response.json() };
}

async function bash(command: string): Promise<string> {
  const { body } = await ada.execute("execute_bash", { command, timeout: 100 });
  expect(body).toMatchObject({ status: "completed" });
  return body.stdout;
}
