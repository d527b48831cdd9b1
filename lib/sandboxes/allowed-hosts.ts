// What sandboxes may reach besides what the mode allows: what the operator set, and what administrators added since.
import { listAllowedHosts } from "#db/queries/egress.ts";
import { env } from "#env.ts";
import { db } from "../database.ts";
import { perProcess } from "../per-process.ts";

const added = perProcess<string[]>("allowed-hosts");

/** As of the last look at the table; the server that changes it looks again. */
export function allowedHosts(): string[] {
  return [...env().COVE_EGRESS_ALLOW, ...(added.peek() ?? [])];
}

export async function loadAllowedHosts(): Promise<string[]> {
  added.set((await listAllowedHosts(db())).map(({ host }) => host));
  return allowedHosts();
}
