// Starts that can't work: each ends at once with a sentence, exit code 1, no stack trace, and nothing left behind.
import { execFileSync } from "node:child_process";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "#scripts/free-port.ts";
import { cleanEnv, root, spawnCove, startCove } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

async function refusal(overrides: Record<string, string | undefined>): Promise<string> {
  const cove = await spawnCove(overrides);
  const code = await new Promise((resolve) => cove.process.once("exit", resolve));
  expect(code).toBe(1);
  expect(cove.output()).not.toMatch(/^\s+at .*:\d+:\d+/m);
  await cove.stop();
  return cove.output();
}

test.each([
  ["PORT", "http", "PORT must be a whole number from 1 to 65535."],
  ["COVE_EGRESS", "sometimes", "COVE_EGRESS must be one of off, packages, open."],
  ["DATABASE_URL", "mysql://x", "DATABASE_URL must start with postgresql://."],
  ["COVE_EGRESS_ALLOW", "example.com/path", "COVE_EGRESS_ALLOW must be a comma list of host or host:port."],
  ["COVE_EGRESS_ALLOW", "example.com:99999", 'COVE_EGRESS_ALLOW: "example.com:99999" can\'t be an entry'],
  ["COVE_LISTEN", "everywhere", "COVE_LISTEN must be an address, such as 127.0.0.1, or 0.0.0.0 for all."],
  ["COVE_LISTEN", "192.0.2.1", "COVE_LISTEN is 192.0.2.1, which is no address of this machine."],
  ["COVE_TRUSTED_PROXIES", "10.0.0.0/64", "COVE_TRUSTED_PROXIES must be a comma list of addresses, networks"],
  ["AUTH_SECRET", "short", "AUTH_SECRET must have at least 32 characters."],
  ["COVE_URL", "https://example.com/cove", "COVE_URL must be an http:// or https:// address without a path."],
  [
    "COVE_SANDBOX_IMAGE",
    "no-such-image:1",
    "COVE_SANDBOX_IMAGE names no-such-image:1, which the engine doesn't",
  ],
  ["COVE_SANDBOX_RUNTIME", "warp", "COVE_SANDBOX_RUNTIME names warp, which the engine doesn't know. It has"],
])("a wrong %s is named: %s", async (name, value, sentence) => {
  expect(await refusal({ [name]: value })).toContain(sentence);
});

test("a database that isn't there is named, without its password", async () => {
  const output = await refusal({
    DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${await freePort()}/mine`,
  });
  expect(output).toMatch(
    /The database mine at 127\.0\.0\.1:\d+ can't be used: nothing listens there\. Check DATABASE_URL\./,
  );
  expect(output).not.toContain("hunter2");
});

test("a wrong password for the database is told", async () => {
  const url = new URL(process.env.COVE_TEST_DATABASE_URL ?? "");
  url.password = "wrong";
  expect(await refusal({ DATABASE_URL: url.href })).toContain("the user or the password is wrong");
});

test("a port that another program uses is named", async () => {
  const occupant = createServer().listen(0);
  const { port } = occupant.address() as { port: number };
  expect(await refusal({ PORT: String(port) })).toContain(`Port ${port} is in use by another program.`);
  occupant.close();
});

test("a port that Cove itself uses already is told apart", async () => {
  const cove = await startCove();
  expect(await refusal({ PORT: cove.env.PORT ?? "" })).toContain(
    `Cove is already running on port ${cove.env.PORT}.`,
  );
  await cove.stop();
});

test("a data directory that is a file is named", async () => {
  const directory = await temporaryDirectory();
  const file = path.join(directory, "file");
  await writeFile(file, "");
  expect(await refusal({ COVE_DATA_DIR: file })).toMatch(
    /The data directory can't be used: .*\s+Choose another/,
  );
  await rm(directory, { recursive: true });
});

test("a full disk is told before anything is written", async () => {
  const small = await temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "cove-test", small]);
  try {
    expect(await refusal({ COVE_DATA_DIR: small })).toMatch(
      /Only \d+ MB are free in .*, and Cove needs at least 1 GB/,
    );
  } finally {
    execFileSync("umount", [small]);
    await rm(small, { recursive: true });
  }
});

test("an engine that lets this user not in is told, with what to do", async () => {
  const directory = await temporaryDirectory();
  const [clone, dataDir] = [path.join(directory, "clone"), path.join(directory, "data")];
  for (const folder of [clone, dataDir]) await mkdir(folder);
  await chown(dataDir, 65534, 65534);
  // Seen from here, a clone under a 0700 home is open to everybody.
  execFileSync("mount", ["--bind", root, clone]);
  const env = cleanEnv({ PORT: String(await freePort()), COVE_DATA_DIR: dataDir, HOME: dataDir });
  const run = () =>
    execFileSync(path.join(clone, "node_modules/.bin/node"), ["scripts/start.ts"], {
      cwd: clone,
      env,
      uid: 65534,
      gid: 65534,
      stdio: "pipe",
    });
  try {
    expect(run).toThrow(/this user may not use it[\s\S]*usermod -aG docker/);
  } finally {
    execFileSync("umount", [clone]);
    await rm(directory, { recursive: true });
  }
});

test("an engine that isn't where DOCKER_HOST says is named", async () => {
  expect(await refusal({ DOCKER_HOST: "unix:///nowhere/docker.sock" })).toContain(
    "No Docker engine answers. DOCKER_HOST says unix:///nowhere/docker.sock",
  );
});
