// `npm run -s cove -- user …` beside a database that runs and without a server: passwords, and accounts that go.
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { cleanEnv, removeInstallation, root } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let dataDir: string;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  postgres = await startEmbeddedPostgres(dataDir);
  await cove("user", "add", "ada@example.com", "--password", "a long password");
  await cove("user", "add", "bob@example.com", "--password", "a long password");
});

afterAll(async () => {
  await postgres.stop();
  await removeInstallation(dataDir);
});

test("a password is reset, from an option or a pipe, and API tokens go if that is said", async () => {
  await cove("token", "create", "bob@example.com", "--name", "one");
  const kept = await cove("user", "password", "bob@example.com", "--password", "a new password");
  expect(JSON.parse(kept.stdout)).toMatchObject({
    changed: "bob@example.com",
    tokensRevoked: 0,
    tokens: 1,
    note: expect.stringContaining("--revoke-tokens"),
  });
  const piped = await cove("user", "password", "bob@example.com", "--revoke-tokens").typing("from a pipe!\n");
  expect(JSON.parse(piped.stdout)).toEqual({ changed: "bob@example.com", tokensRevoked: 1, tokens: 0 });
  expect(JSON.parse((await cove("token", "list", "bob@example.com")).stdout)).toEqual([]);
  expect(kept.stdout + piped.stdout + piped.stderr).not.toMatch(/a new password|from a pipe/);
});

test("an account is removed only when that is said, and never the only administrator while there are others", async () => {
  const asked = JSON.parse((await cove("user", "remove", "BOB@example.com")).stdout);
  expect(asked).toMatchObject({
    wouldRemove: { email: "bob@example.com", runs: 0, tokens: 0, sandbox: false },
    note: expect.stringContaining("--yes"),
  });
  for (const words of [[], ["--yes"]]) {
    const { code, stdout, stderr } = await cove("user", "remove", "ada@example.com", ...words);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("ada@example.com is the only administrator, and others have accounts here.");
  }
  expect((await cove("user", "list")).stdout).toContain("bob@example.com");
  const removed = JSON.parse((await cove("user", "remove", "bob@example.com", "--yes")).stdout);
  expect(removed).toEqual({ removed: asked.wouldRemove });
  // Alone they may go.
  expect((await cove("user", "remove", "ada@example.com", "--yes")).code).toBe(0);
  expect(JSON.parse((await cove("user", "list")).stdout)).toEqual([]);
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** What is typed into it goes to its standard input; otherwise there is none. */
function cove(...words: string[]): Promise<Outcome> & { typing(text: string): Promise<Outcome> } {
  const env = cleanEnv({ COVE_DATA_DIR: dataDir });
  const ended = Promise.withResolvers<Outcome>();
  const child = execFile(
    process.execPath,
    ["scripts/cove.ts", ...words],
    { cwd: root, env },
    (_, stdout, stderr) => ended.resolve({ code: child.exitCode ?? 1, stdout, stderr }),
  );
  return Object.assign(ended.promise, {
    typing(text: string) {
      child.stdin?.end(text);
      return ended.promise;
    },
  });
}
