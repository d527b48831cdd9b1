// One live container under the whole profile: it is what the profile says, and people can work in it.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newInstallation } from "../support/installation.ts";
import { expectProfile } from "../support/profile.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
beforeAll(async () => {
  const at = await newInstallation();
  const skills = join(at.dataDir, "skills");
  await mkdir(join(skills, "charts"), { recursive: true });
  await writeFile(join(skills, "charts", "SKILL.md"), "# Charts\n");
  const limits = { memoryBytes: 512 * 2 ** 20, cpus: 1.5, pids: 200, tmpBytes: 64 * 2 ** 20 };
  all = await testSandboxes({ folders: { skills }, limits }, at);
});
afterAll(() => all.cleanUp());

test("inspect of a live container is the profile, field by field", async () => {
  await all.sh("ann", "true");
  const details = await (await all.container("ann")).inspect();
  const { installation, image, dataDir } = all;
  const MB = 2 ** 20;
  const limits = { memoryBytes: 512 * MB, cpus: 1.5, pids: 200, tmpBytes: 64 * MB, shmBytes: 64 * MB };
  expectProfile(details, { installation, image, disks: join(dataDir, "disks"), ...limits });
});

test("everything runs as the sandbox's own uid, the relay included", async () => {
  const owners = await all.sh("ann", "stat -c %u /proc/[0-9]* 2>/dev/null | sort -u");
  expect(owners).toBe(await all.sh("ann", "id -u"));
});

test("the workspace, /tmp and /run/cove are mounted without setuid and devices, and /tmp allows programs", async () => {
  const mounts = await all.sh(
    "ann",
    "awk '{print $2, $4}' /proc/mounts | grep -E '^(/workspace|/tmp|/run/cove|/opt/cove) '",
  );
  const options = Object.fromEntries(mounts.split("\n").map((line) => line.split(" ")));
  expect(options["/workspace"]).toMatch(/^rw,nosuid,nodev,noatime/);
  expect(options["/tmp"]).toMatch(/^rw,nosuid,nodev,relatime/);
  expect(options["/run/cove"]).toMatch(/^rw,nosuid,nodev,noexec/);
  expect(options["/opt/cove"]).toMatch(/^ro,/);
  expect(await all.sh("ann", "cp /bin/true /tmp/program && /tmp/program && echo ran")).toBe("ran");
});

test("the shared volume is there, and changes reach a running sandbox", async () => {
  const read = () => all.sh("ann", "cat /opt/cove/skills/charts/SKILL.md");
  expect(await read()).toBe("# Charts");
  await writeFile(join(all.dataDir, "skills", "charts", "SKILL.md"), "# Better charts\n");
  await expect.poll(read, { timeout: 15_000, interval: 500 }).toBe("# Better charts");
});

test.each([
  [
    "numpy and pandas",
    `python3 -c "import numpy, pandas; print(pandas.DataFrame({'a': numpy.arange(3)}).a.sum())"`,
    "3",
  ],
  [
    "a pool of processes",
    `python3 -c "import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))"`,
    "[1, 2]",
  ],
  [
    "threads",
    `python3 -c "import threading as t; x = t.Thread(target=print, args=(1,)); x.start(); x.join()"`,
    "1",
  ],
  ["asyncio", `python3 -c "import asyncio; print(asyncio.run(asyncio.sleep(0, 'woke')))"`, "woke"],
  [
    "node with a worker",
    `node -e "const {Worker} = require('worker_threads'); new Worker('console.log(1)', {eval: true})"`,
    "1",
  ],
  ["a compiler", `echo 'int main(){return 7;}' > a.c && gcc a.c -o a.out && ./a.out; echo $?`, "7"],
  [
    "git",
    `git init -q r && git -C r -c user.name=a -c user.email=a@b commit -qm x --allow-empty && git -C r log --format=%s`,
    "x",
  ],
  ["a virtual environment", `python3 -m venv --without-pip v && v/bin/python -c 'print(1)'`, "1"],
  [
    "a socket of its own",
    `python3 -c "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); print(1)"`,
    "1",
  ],
  [
    "SQLite",
    `python3 -c "import sqlite3; c = sqlite3.connect('/workspace/x.db'); print(c.execute('select 1').fetchone()[0])"`,
    "1",
  ],
])("%s works under the profile", async (_, command, expected) => {
  expect(await all.sh("ann", command)).toBe(expected);
});
