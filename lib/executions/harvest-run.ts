// Where runs and artifacts meet: what a call left behind is kept, and shown in its result.
import path from "node:path";
import { findOrigin } from "#db/queries/artifacts.ts";
import type { Outcome } from "#mcp/tools/tool.ts";
import type { RunResult, Sandbox } from "#sandbox/index.ts";
import { type Harvest, harvest, type Origin } from "../artifacts/harvest.ts";
import { describeHarvest, withHarvest } from "../artifacts/show-harvest.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

// Links of the image that lead to the outputs; the sandbox knows them by name, too.
const ALIASES: [string, string][] = [
  ["/mnt/data", "/workspace/outputs"],
  ["/mnt/user-data/outputs", "/workspace/outputs"],
];
const PACKAGE_FOLDERS = new Set(["node_modules", "__pycache__", "site-packages", "dist-packages"]);

/** The outcome of a call, with its artifacts in it. It has happened: nothing here can make it fail any more. */
export async function harvestOutcome(origin: Origin, outcome: Outcome): Promise<Outcome> {
  try {
    return await harvested(origin, outcome);
  } catch (err) {
    log().error({ err, executionId: origin.executionId }, "what a run made could not be looked at");
    return outcome;
  }
}

/** For a run that was followed to its end. Doing it twice keeps nothing twice. */
export async function harvestFollowed(userId: string, sandbox: Sandbox, result: RunResult): Promise<Harvest> {
  const origin = leftSomething(result) ? await findOrigin(db(), userId, result.executionId) : undefined;
  if (!origin) return { rows: [], results: new Map() };
  return harvestResult({ userId, executionId: result.executionId, ...origin }, sandbox, result);
}

async function harvested(origin: Origin, outcome: Outcome): Promise<Outcome> {
  const { execution, changed = [] } = outcome;
  if (execution ? !leftSomething(execution) : changed.length === 0) return outcome;
  const sandbox = await (await sandboxes()).open(origin.userId);
  if (!execution) {
    // A file that was written as a file: its tool's answer has no room for artifacts, the gallery has.
    const paths = changed.flatMap((path) => workspacePath(path) ?? []);
    const { skipped } = await harvest(origin, sandbox, { paths });
    return { ...outcome, text: withMore(outcome.text, skipped) };
  }
  const kept = await harvestResult(origin, sandbox, execution);
  const text = withMore(outcome.text, describeHarvest(kept));
  return { ...outcome, text, structured: withHarvest(outcome.structured, kept) };
}

function withMore(text: string, more: string | undefined): string {
  return [text, more].filter(Boolean).join("\n\n");
}

function harvestResult(origin: Origin, sandbox: Sandbox, result: RunResult): Promise<Harvest> {
  const paths = result.changes.map(({ path }) => path);
  return harvest(origin, sandbox, { paths, more: result.changesTruncated, results: result.results });
}

function leftSomething({ status, changes, changesTruncated, results = [] }: RunResult): boolean {
  return status !== "running" && (changes.length > 0 || changesTruncated || results.length > 0);
}

/** A path as the sandbox tells of changes, or nothing where changes don't count: outside, hidden, or among packages. */
function workspacePath(given: string): string | undefined {
  let full = path.posix.resolve("/workspace", given);
  for (const [alias, target] of ALIASES) {
    if (full === alias || full.startsWith(`${alias}/`)) full = target + full.slice(alias.length);
  }
  const [, root, ...parts] = full.split("/");
  const counts =
    parts.length > 0 && parts.every((part) => !part.startsWith(".") && !PACKAGE_FOLDERS.has(part));
  return root === "workspace" && counts ? full : undefined;
}
