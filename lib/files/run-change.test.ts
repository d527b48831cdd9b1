import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executions, sandboxes } from "#db/schema.ts";
import type { Sandbox, Sandboxes, SandboxFiles } from "#sandbox/index.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { stopExecution } from "../executions/follow.ts";
import { metricsRegistry } from "../observe/metrics.ts";
import { perProcess } from "../per-process.ts";
import { postgresOwnership } from "../sandboxes/ownership.ts";
import { makeFolder } from "./change-files.ts";
import { runChange } from "./run-change.ts";

ownDatabase();

const opened = perProcess<Promise<Partial<Sandboxes>>>("sandboxes");
const folders = new Set<string>();
let userId: string;

/** A workspace that holds the names of folders and nothing else. */
const files = {
  async stat(path) {
    if (!folders.has(path)) throw Object.assign(new Error("nothing there"), { code: "not_found" });
    return { path };
  },
  async makeDirectory(path) {
    folders.add(path);
  },
} as Record<keyof SandboxFiles, (path: string) => Promise<unknown>>;

beforeAll(async () => {
  userId = (await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" })).id;
  const { id } = await postgresOwnership.create(randomUUID(), { first: 20_000, last: 20_000 }, userId);
  const sandbox = { id, files, started: false } as unknown as Sandbox;
  opened.set(Promise.resolve({ open: async () => sandbox, opened: () => sandbox }));
});
afterAll(() => opened.set(undefined));

async function counted(tool: string, outcome: string): Promise<number> {
  const metric = await metricsRegistry().getSingleMetric("cove_executions_total")?.get();
  const labels = { tool, door: "web", outcome };
  const samples = metric?.values.filter((one) =>
    Object.entries(labels).every(([name, value]) => one.labels[name] === value),
  );
  return samples?.[0]?.value ?? 0;
}

const onRecord = (tool: string) =>
  db()
    .select({
      id: executions.id,
      door: executions.door,
      status: executions.status,
      stderr: executions.stderr,
    })
    .from(executions)
    .where(eq(executions.tool, tool))
    .orderBy(executions.id);

test("a change is on record, counted, and use of the workspace", async () => {
  await db().update(sandboxes).set({ lastUsedAt: sql`now() - interval '30 days'` });
  const before = await counted("make_folder", "completed");
  await makeFolder(userId, "data");
  expect(await onRecord("make_folder")).toMatchObject([{ door: "web", status: "completed" }]);
  expect(await counted("make_folder", "completed")).toBe(before + 1);
  await expect
    .poll(async () => {
      const [row] = await db().select({ at: sandboxes.lastUsedAt }).from(sandboxes);
      return Date.now() - (row?.at?.getTime() ?? 0) < 60_000;
    })
    .toBe(true);
});

test("one that can't be made says why in the history, and is counted as refused", async () => {
  const before = await counted("make_folder", "refused");
  await expect(makeFolder(userId, "data")).rejects.toMatchObject({ code: "conflict" });
  expect((await onRecord("make_folder")).at(-1)).toMatchObject({
    status: "failed",
    stderr: Buffer.from("Something of that name is there already."),
  });
  expect(await counted("make_folder", "refused")).toBe(before + 1);
});

test("one that is stopped is cancelled, by whoever made it or by its id", async () => {
  const upload = (signal?: AbortSignal) =>
    runChange({ userId, name: "upload_file", arguments: { path: "/workspace/a" }, signal }, (_, ended) => {
      const { promise, reject } = Promise.withResolvers<never>();
      ended?.addEventListener("abort", () => reject(new Error("given up")));
      if (ended?.aborted) reject(new Error("given up"));
      return promise;
    });
  const before = await counted("upload_file", "cancelled");
  const leaving = new AbortController();
  const left = upload(leaving.signal);
  leaving.abort();
  await expect(left).rejects.toThrow();
  const stopped = expect(upload()).rejects.toThrow();
  await expect.poll(async () => (await onRecord("upload_file")).at(-1)?.status).toBe("running");
  const { id } = (await onRecord("upload_file")).at(-1) ?? { id: "" };
  expect(await stopExecution(userId, id)).toMatchObject({ status: "cancelled" });
  await stopped;
  expect((await onRecord("upload_file")).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  expect(await counted("upload_file", "cancelled")).toBe(before + 2);
});
