// `npm run doctor`: a line for everything Cove needs, the fix where something is wrong, and nothing touched.
import { execFile } from "node:child_process";
import { chown, glob, lstat, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cleanEnv, removeInstallation, root, startCove } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await temporaryDirectory();
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

test("beside a running Cove all is well", async () => {
  const cove = await startCove({ COVE_DATA_DIR: dataDir });
  const { code, output } = await doctor();
  expect(output).toMatch(/✓ Engine +Docker \d/);
  expect(output).toMatch(/✓ Image +cove-sandbox:/);
  expect(output).toMatch(/✓ Database +embedded Postgres answers/);
  expect(output).toMatch(/✓ Quota +hard/);
  expect(output).toMatch(/✓ Egress +packages/);
  expect(output).toMatch(/✓ Keys +no model/);
  expect(code).toBe(0);
  await cove.stop();
  await removeInstallation(dataDir);
});

test("what is somebody else's stays as it is, and nothing is made", async () => {
  const directory = path.join(dataDir, "postgres");
  await mkdir(directory, { mode: 0o755 });
  await chown(directory, 65534, 65534);
  const before = await snapshot();
  expect((await doctor()).output).toMatch(/✓ Database +embedded Postgres, not running/);
  expect(await snapshot()).toEqual(before);
});

test("without an engine each line that needs one has a fix", async () => {
  const { code, output } = await doctor({ DOCKER_HOST: "unix:///nowhere/docker.sock" });
  for (const name of ["Engine", "Image", "Quota"])
    expect(output).toMatch(new RegExp(`^✗ ${name} .* → `, "m"));
  expect(output).not.toContain("ENOENT");
  expect(code).toBe(1);
});

test("settings that can't work are told before a start would fail of them", async () => {
  const { code, output } = await doctor({
    COVE_EGRESS_ALLOW: "example.com:99999",
    COVE_MODEL: "google/gemini",
    COVE_SANDBOX_IMAGE: "no-such-image:1",
    COVE_SANDBOX_RUNTIME: "warp",
  });
  expect(output).toMatch(/^✗ Egress .*"example.com:99999" can't be an entry.* → /m);
  expect(output).toMatch(/^✗ Keys .* → Set GEMINI_API_KEY, or unset COVE_MODEL\./m);
  expect(output).toMatch(/^✗ Image .*no-such-image:1/m);
  expect(output).toMatch(/^✗ Engine .*COVE_SANDBOX_RUNTIME names warp/m);
  expect(code).toBe(1);
});

test("a wrong variable is named", async () => {
  const { code, output } = await doctor({ PORT: "http" });
  expect(output).toContain("✗ Settings  PORT must be a whole number from 1 to 65535.");
  expect(code).toBe(1);
});

function doctor(variables: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const env = cleanEnv({ COVE_DATA_DIR: dataDir, ...variables });
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ["scripts/doctor.ts"], { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });
}

async function snapshot(): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const name of glob("**", { cwd: dataDir })) {
    const { uid, gid, mode } = await lstat(path.join(dataDir, name));
    seen.push({ name, uid, gid, mode });
  }
  return seen;
}
