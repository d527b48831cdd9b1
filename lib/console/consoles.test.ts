import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { pointCellAtRun } from "#db/queries/consoles.ts";
import { insertExecution } from "#db/queries/executions.ts";
import { users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import {
  createConsole,
  deleteConsole,
  latestConsole,
  listConsoles,
  openConsole,
  saveConsole,
} from "./consoles.ts";
import { type Content, content as schema } from "./content.ts";
import { exportConsole } from "./export-console.ts";

ownDatabase();

let ada: string;
let bob: string;

beforeEach(async () => {
  await db().delete(users);
  ada = (await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" })).id;
  bob = (await addUser({ email: "bob@example.com", name: "Bob", password: "bob's password" })).id;
});

const content = (code: string): Content => ({
  name: "Sums",
  session: "default",
  cells: [{ id: "a", kind: "python", code }],
});

test("code is kept exactly, whatever is in it", async () => {
  const code = "print('\u0000 \ud800 ü 🦀\r\n')";
  const { id } = await createConsole(ada, content(code));
  expect((await openConsole(ada, id)).cells[0]?.code).toBe(code);
});

test("a save over an old version is a conflict, and what was saved first stays", async () => {
  const { id, version } = await createConsole(ada, content("1"));
  const next = await saveConsole(ada, id, version, content("2"));
  await expect(saveConsole(ada, id, version, content("3"))).rejects.toMatchObject({ code: "conflict" });
  expect(await openConsole(ada, id)).toMatchObject({ version: next, cells: [{ code: "2" }] });
});

test("of two saves at once one wins and the other hears of it", async () => {
  const { id, version } = await createConsole(ada, content("1"));
  const saves = await Promise.allSettled(
    ["2", "3", "4"].map((code) => saveConsole(ada, id, version, content(code))),
  );
  expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("somebody else's console is not there", async () => {
  const { id, version } = await createConsole(ada, content("1"));
  const executionId = v7();
  for (const attempt of [
    () => openConsole(bob, id),
    () => saveConsole(bob, id, version, content("2")),
    () => exportConsole(bob, id, content("1")),
    () => deleteConsole(bob, id),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await pointCellAtRun(db(), bob, { consoleId: id, cellId: "a", executionId })).toBe(false);
  expect(await listConsoles(bob)).toEqual([]);
});

test("a cell shows its latest run, as long as that is on record", async () => {
  const { id } = await createConsole(ada, content("1"));
  const [first, second] = [v7(), v7()];
  for (const executionId of [first, second]) {
    expect(await pointCellAtRun(db(), ada, { consoleId: id, cellId: "a", executionId })).toBe(true);
  }
  expect((await openConsole(ada, id)).runs).toEqual({});
  await insertExecution(db(), {
    id: second,
    userId: ada,
    door: "console",
    tool: "execute_python",
    arguments: "{}",
    status: "queued",
  });
  expect((await openConsole(ada, id)).runs).toEqual({ a: second });
});

test("who has none gets one, and afterwards the one that was used last", async () => {
  const first = await latestConsole(ada);
  expect(await latestConsole(ada)).toBe(first);
  const { id } = await createConsole(ada, content("1"));
  expect(await latestConsole(ada)).toBe(id);
  await saveConsole(ada, first, 1, content("2"));
  expect(await latestConsole(ada)).toBe(first);
});

test.each([
  [
    "too many cells",
    { cells: Array.from({ length: 501 }, (_, i) => ({ id: `c${i}`, kind: "python", code: "" })) },
  ],
  [
    "the same id twice",
    {
      cells: [
        { id: "a", kind: "bash", code: "" },
        { id: "a", kind: "bash", code: "" },
      ],
    },
  ],
  ["a cell that is too long", { cells: [{ id: "a", kind: "bash", code: "x".repeat(200_000) }] }],
  ["another language", { cells: [{ id: "a", kind: "perl", code: "" }] }],
  ["a session by a path", { session: "../x" }],
  ["no name", { name: " \u0000 " }],
])("%s is refused", (_what, change) => {
  expect(schema.safeParse({ ...content("1"), ...change }).success).toBe(false);
});
