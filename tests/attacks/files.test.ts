// SECURITY.md 17–20: links, special files, races, names and sizes that want to get out of the workspace or into the way.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { displayName, nameFromBytes, nameToBytes } from "#sandbox/files/names.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { watchingMemory } from "../support/memory.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { HOSTILE_NAMES } from "./hostile-names.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  sandbox = await fixture.sandboxes.open("attacker");
  await sandbox.run(`mkdir -p traps/dir; cd traps
ln -s /etc/hostname to-file; ln -s / to-root; ln -s .. up; ln -s loop loop; ln -s /proc/1/environ environ
mkfifo fifo; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
ln -s /dev/zero zero; echo inside > dir/file; ln -s dir alias; echo secret > /tmp/secret; ln -s /tmp/secret secret`);
});
afterAll(() => fixture.cleanUp());

const reads: [string, string][] = [
  ["traps/to-file", "path_refused"],
  ["traps/secret", "path_refused"],
  ["traps/to-root/etc/hostname", "path_refused"],
  ["traps/up/traps/dir/file", "path_refused"],
  ["traps/alias/file", "path_refused"],
  ["traps/loop", "path_refused"],
  ["traps/environ", "path_refused"],
  ["traps/zero", "path_refused"],
  ["traps/fifo", "not_a_file"],
  ["traps/socket", "not_a_file"],
  ["/dev/zero", "path_refused"],
  ["/proc/1/environ", "path_refused"],
  ["/proc/self/root/etc/hostname", "path_refused"],
  ["/workspace/../proc/1/environ", "path_refused"],
  ["/run/cove/passwd", "path_refused"],
];

describe("17. What is no regular file of the workspace", () => {
  test.each(reads)(
    "reading %s is refused at once",
    async (path, code) => {
      await expect(sandbox.files.read(path)).rejects.toMatchObject({ code });
      await expect(sandbox.files.openRead(path)).rejects.toMatchObject({ code });
    },
    5000,
  );

  test("a FIFO isn't even opened: nobody who waits at its other end is woken", async () => {
    const writer = sandbox.run("timeout 1 bash -c 'echo x > traps/fifo' || echo nobody came");
    await expect(sandbox.files.read("traps/fifo")).rejects.toMatchObject({ code: "not_a_file" });
    expect(String((await writer).stdout)).toBe("nobody came\n");
  });
});

describe("18. Swapped directories, planted links and hostile archives", () => {
  test("writing through a planted link, to a FIFO or a socket is refused and changes nothing", async () => {
    for (const path of ["traps/secret", "traps/to-root/tmp/x", "traps/alias/new", "traps/loop"]) {
      await expect(sandbox.files.write(path, "overwritten")).rejects.toMatchObject({ code: "path_refused" });
      await expect(sandbox.files.append(path, "overwritten")).rejects.toMatchObject({ code: "path_refused" });
    }
    for (const path of ["traps/fifo", "traps/socket"])
      await expect(sandbox.files.append(path, "x")).rejects.toMatchObject({ code: "not_a_file" });
    expect(String((await sandbox.run("cat /tmp/secret; ls traps/dir")).stdout)).toBe("secret\nfile\n");
  });

  test("removing and moving a link removes and moves the link", async () => {
    await sandbox.run(
      "mkdir -p keep; echo precious > keep/file; ln -s ../keep traps/keep; mkdir -p bin; ln -s /workspace/keep bin/k",
    );
    await sandbox.files.remove("traps/keep", { recursive: true });
    await sandbox.files.move("bin/k", "bin/l");
    await sandbox.files.remove("bin", { recursive: true });
    expect(String(await sandbox.files.read("keep/file"))).toBe("precious\n");
  });

  test("a directory that is swapped for a link halfway never leads out", async () => {
    const swapping = await sandbox.run(
      "mkdir -p swap/real; echo inside > swap/real/hostname; ln -s /etc swap/link; cp -r swap/real swap/now; " +
        "while :; do mv -T swap/now swap/a; mv -T swap/link swap/now; mv -T swap/now swap/link; mv -T swap/a swap/now; done",
      { background: true },
    );
    const seen = new Set<string>();
    for (let i = 0; i < 600; i++) {
      const text = await sandbox.files
        .read("swap/now/hostname")
        .catch((error: { code: string }) => error.code);
      seen.add(String(text));
      await sandbox.files
        .write("swap/now/planted", "x")
        .catch((error: { code: string }) => seen.add(error.code));
    }
    await sandbox.stop(swapping.executionId);
    seen.delete("inside\n");
    expect([...seen].filter((outcome) => !["not_found", "path_refused"].includes(outcome))).toEqual([]);
    expect(String((await sandbox.run("ls -d /etc/planted 2>&1 | tail -1")).stdout)).toMatch(/No such file/);
  });
});

describe("19. Hostile names", () => {
  test.each(HOSTILE_NAMES)(
    "a name with %s is written, listed, read, moved and removed",
    async (_what, bytes) => {
      const name = nameFromBytes(bytes);
      await sandbox.run("rm -rf names");
      await sandbox.files.write(`names/${name}`, "content");
      const listed = (await sandbox.files.list("names")).entries.map((entry) =>
        nameToBytes(entry.name).toString("hex"),
      );
      expect(listed).toEqual([bytes.toString("hex")]);
      expect(displayName(name).isWellFormed()).toBe(true);
      expect(String(await sandbox.files.read(`names/${name}`))).toBe("content");
      const seen = await sandbox.run(
        "ls -1 names | head -c 400; find names -type f -print0 | od -v -An -tx1 | tr -d ' \\n'",
      );
      expect(String(seen.stdout)).toContain(bytes.toString("hex"));
      await sandbox.files.move(`names/${name}`, `names/other-${name}`.slice(0, 200));
      await sandbox.files.remove("names", { recursive: true });
      await expect(sandbox.files.stat("names")).rejects.toMatchObject({ code: "not_found" });
    },
  );
});

describe("13. Files and trees of absurd size", () => {
  test("ten thousand files are listed in pages and removed while others work", async () => {
    await sandbox.run("mkdir -p crowd; cd crowd; seq -f 'file-%05g' 1 10000 | xargs touch");
    let count = 0;
    let after: string | undefined;
    do {
      const page = await sandbox.files.list("crowd", { after });
      expect(page.entries.length).toBeLessThanOrEqual(1000);
      count += page.entries.length;
      after = page.next;
    } while (after);
    expect(count).toBe(10_000);
    const removing = sandbox.files.remove("crowd", { recursive: true });
    expect(String((await sandbox.run("echo meanwhile")).stdout)).toBe("meanwhile\n");
    await removing;
    await expect(sandbox.files.stat("crowd")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a tree 3,000 deep, closed to its owner, is removed", async () => {
    const dig =
      "import os\nos.chdir('/workspace')\nfor _ in range(3000):\n    os.mkdir('d'); open('f', 'w').close(); os.chdir('d')\n";
    expect(await sandbox.run("python3 -", { stdin: dig })).toMatchObject({ status: "completed" });
    await sandbox.run("chmod 000 d/d/d");
    await sandbox.files.remove("d", { recursive: true });
    await expect(sandbox.files.stat("d")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("20. Large downloads to slow clients", () => {
  test("ten slow downloads of 250 MB hold little here, and others pass them by", async () => {
    await sandbox.run("truncate -s 250M film");
    let taken = 0;
    const { grown } = await watchingMemory(async () => {
      const downloads = await Promise.all(Array.from({ length: 10 }, () => sandbox.files.openRead("film")));
      const reading = downloads.map(async ({ stream }) => {
        for await (const chunk of stream) {
          taken += chunk.length;
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
      });
      for (let i = 0; i < 20; i++) {
        expect(String((await sandbox.run("echo quick")).stdout)).toBe("quick\n");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      for (const { stream } of downloads) stream.destroy();
      await Promise.allSettled(reading);
    });
    expect(taken).toBeGreaterThan(1_000_000);
    expect(grown).toBeLessThan(50_000_000);
  });
});
