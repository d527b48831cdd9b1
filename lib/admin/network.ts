// What sandboxes wanted to reach and may not, and what administrators allow because of it.
import {
  deleteAllowedHost,
  insertAllowedHost,
  listAllowedHosts,
  listDeniedHosts,
} from "#db/queries/egress.ts";
import { env } from "#env.ts";
import { createPolicy } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { lastDays } from "../days.ts";
import { loadAllowedHosts } from "../sandboxes/allowed-hosts.ts";
import { readySandboxes } from "../sandboxes/sandboxes.ts";

const DAYS = 30;
const MOST = 100;

export async function readNetwork(now = Date.now()) {
  const [allowed, denied] = await Promise.all([
    listAllowedHosts(db()),
    listDeniedHosts(db(), lastDays(DAYS, now)[0] ?? "", MOST),
  ]);
  const known = new Set(allowed.map(({ host }) => host));
  return {
    mode: env().COVE_EGRESS,
    fixed: env().COVE_EGRESS_ALLOW,
    allowed,
    // Only a name that the policy doesn't know can be allowed; an address it refused stays refused.
    denied: denied.map((one) => ({
      ...one,
      allowable: one.reason === "host_not_allowed" && isName(one.host) && !known.has(one.host),
    })),
  };
}

/** By name alone: a port would vouch for the address as well, which is the operator's to do. */
export async function allowHost(admin: Actor, input: string): Promise<void> {
  const host = input.trim().toLowerCase();
  if (!isName(host)) {
    throw new AppError("bad_request", "Write the name of a site, such as api.example.com.", {
      field: "host",
    });
  }
  if (await insertAllowedHost(db(), host, admin.email))
    await writeAudit(admin, "host.allowed", { name: host });
  await takeEffect();
}

export async function removeHost(admin: Actor, host: string): Promise<void> {
  if (!(await deleteAllowedHost(db(), host))) throw new AppError("not_found", "It is not on the list.");
  await writeAudit(admin, "host.removed", { name: host });
  await takeEffect();
}

async function takeEffect(): Promise<void> {
  const hosts = await loadAllowedHosts();
  (await readySandboxes())?.allowHosts(hosts);
}

function isName(host: string): boolean {
  if (!/^[a-z0-9.-]*[a-z][a-z0-9.-]*$/.test(host) || !host.includes(".")) return false;
  try {
    createPolicy({ mode: "packages", allow: [host], registries: [] });
    return true;
  } catch {
    return false;
  }
}
