// `npm start` as a newcomer meets it: nothing is installed, built or set up.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { VARIABLES } from "#env.ts";
import { removeInstallation, root, startCove } from "../support/cove.ts";
import { health } from "../support/health.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("a copy under root's 0700 home needs no step before `npm start`, and says where the data went", {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const home = await temporaryDirectory();
  await chmod(home, 0o700);
  const clone = path.join(home, "cove");
  await copySources(clone);
  // Somebody's own settings steer nothing here: every test says itself what it is about.
  const steered = VARIABLES.filter((name) => !["COVE_DATA_DIR", "COVE_BUILD_DIR"].includes(name));
  await writeFile(path.join(clone, ".env"), steered.map((name) => `${name}=nonsense\n`).join(""));

  const cove = await startCove({}, clone);
  onTestFinished(async () => void (await cove.stop()));
  expect(cove.output()).toMatch(/✓ Packages installed/);
  expect(cove.output()).toMatch(/✓ Application built/);
  const moved = /Postgres in (\/var\/lib\/cove\/[0-9a-f-]{36})\/postgres/.exec(cove.output())?.[1];
  if (process.getuid?.() === 0) expect(moved).toBeDefined();
  expect(await health(cove)).toEqual({
    status: "ok",
    version: expect.any(String),
    database: "ok",
    sandbox: "ok",
  });
  expect(await cove.stop()).toBe(0);
  expect(processesIn(clone)).toEqual([]);

  // Where nothing else is said, the file counts.
  await writeFile(path.join(clone, ".env"), "COVE_SIGNUP=closed\n");
  const again = await startCove({ PORT: cove.env.PORT, COVE_SIGNUP: undefined }, clone);
  onTestFinished(async () => void (await again.stop()));
  expect(again.output()).toMatch(/Sign-up +closed/);
  expect(again.output()).not.toMatch(/Packages installed|Application built/);
  // Under 10 s on a machine that does nothing else; what would be missed here is a build or an install.
  expect(Number(/Cove is ready at .* \(([\d.]+) s\)/.exec(again.output())?.[1])).toBeLessThan(60);
  expect(await health(again)).toMatchObject({ status: "ok" });
  expect(await again.stop()).toBe(0);

  await removeInstallation(path.join(clone, ".data"));
  await rm(home, { recursive: true });
});

/** What git would clone, as it is in the tree now. */
async function copySources(target: string): Promise<void> {
  await mkdir(target);
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  const archive = execFileSync("tar", ["-c", "--null", "--ignore-failed-read", "-T", "-"], {
    cwd: root,
    input: files,
    maxBuffer: 512 * 2 ** 20,
  });
  execFileSync("tar", ["-x", "-C", target], { input: archive });
}

function processesIn(directory: string): string[] {
  return execFileSync("sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null || true"], { encoding: "utf8" })
    .split("\n")
    .filter((entry) => entry.includes(directory));
}
