// What the server writes down by itself about what people do is not kept for ever.
import { pruneAgentTurns } from "#db/queries/agent-turns.ts";
import { deleteAuditBefore } from "#db/queries/audit.ts";
import { deleteDenialsBefore } from "#db/queries/egress.ts";
import { db } from "../database.ts";
import { dayAt } from "../days.ts";
import { KEPT_DAYS, MOST } from "../growth-bounds.ts";
import { log } from "../log.ts";

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * EVERY_MS;

export async function pruneLogs(now = Date.now()): Promise<void> {
  const daysAgo = (days: number) => new Date(now - days * DAY_MS);
  await deleteDenialsBefore(db(), dayAt(daysAgo(KEPT_DAYS.deniedHosts).getTime()));
  await deleteAuditBefore(db(), daysAgo(KEPT_DAYS.audit));
  await pruneAgentTurns(db(), {
    before: daysAgo(KEPT_DAYS.agentTurns),
    mostOlderThan: daysAgo(2),
    most: MOST.agentTurns,
  });
}

/** Now and then every hour. */
export function keepLogsPruned(): void {
  const prune = () =>
    void pruneLogs().catch((err) => log().warn({ err }, "logs were not pruned, the next hour tries again"));
  prune();
  setInterval(prune, EVERY_MS).unref();
}
