// `npm run -s cove`: administration without a server, on a database that is started for the moment.
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { removeInstallation } from "../support/cove.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDirectory();
});

afterAll(() => removeInstallation(dataDir));

test("users are added and promoted before anything else was ever started, and Postgres goes again", async () => {
  const ada = await cove("user", "add", "ada@example.com", "--password", "a long password");
  expect(JSON.parse(ada.stdout)).toMatchObject({ email: "ada@example.com", name: "ada", admin: true });
  expect(ada.stdout).not.toContain("argon2");
  expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();

  const bob = await cove("user", "add", "bob@example.com", "--password", "a long password", "--name", "Bob");
  expect(JSON.parse(bob.stdout)).toMatchObject({ name: "Bob", admin: false });
  expect(JSON.parse((await cove("user", "admin", "BOB@example.com")).stdout)).toMatchObject({ admin: true });
  const listed = JSON.parse((await cove("user", "list")).stdout);
  expect(listed.map(({ email, admin }: { email: string; admin: boolean }) => [email, admin])).toEqual([
    ["ada@example.com", true],
    ["bob@example.com", true],
  ]);
  expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();
});

test.each([
  [["user", "add", "ada@example.com", "--password", "short"], "A password has at least 10 characters."],
  [["user", "add", "ada", "--password", "a long password"], "Enter an e-mail address"],
  [["user", "add", "eve@example.com"], "A new user needs --password."],
  [["user", "admin", "nobody@example.com"], "There is no user nobody@example.com."],
  [["user", "password", "nobody@example.com", "--password", "a long password"], "There is no user"],
  [["user", "remove", "nobody@example.com", "--yes"], "There is no user nobody@example.com."],
  [["user", "remove"], "This command takes <email>."],
  [["user", "fly"], 'There is no command "user fly".'],
])("`%s` is refused with a sentence", async (words, sentence) => {
  const { code, stdout, stderr } = await cove(...words);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(stdout).toBe("");
});

function cove(...words: string[]) {
  return runCommand({ COVE_DATA_DIR: dataDir }, ...words);
}
