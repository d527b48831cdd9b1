// Everybody's sandboxes, for administrators.
import { emailsOf } from "#db/queries/people.ts";
import type { SandboxStatus } from "#sandbox/index.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { destroySandbox } from "../own-sandbox/destroy-sandbox.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { requirePerson } from "./people.ts";

export interface AdminSandbox
  extends Pick<SandboxStatus, "id" | "state" | "inFlight" | "lastUsed" | "outdated"> {
  /** Nobody's while it waits in the pool. */
  owner?: { id: string; email: string };
  /** Of one that is awake and answers. */
  memoryBytes?: number | null;
  diskBytes?: number;
  processes?: number;
}

// Each that is awake is asked; a page that asks hundreds would wait for the slowest.
const MOST_ASKED = 100;

export async function listEverySandbox(): Promise<AdminSandbox[]> {
  try {
    const all = await sandboxes();
    const list = await all.list();
    const emails = await emailsOf(
      db(),
      list.flatMap(({ userId }) => userId ?? []),
    );
    const awake = list.filter(({ state }) => state === "active").slice(0, MOST_ASKED);
    const asked = new Map(
      await Promise.all(
        awake.map(
          async ({ id, userId }) => [id, userId ? (await all.glance(userId))?.info : undefined] as const,
        ),
      ),
    );
    return list.map(({ id, userId, state, inFlight, lastUsed, outdated }) => {
      const info = asked.get(id);
      return {
        ...{ id, state, inFlight, lastUsed, outdated },
        ...(userId && { owner: { id: userId, email: emails.get(userId) ?? "?" } }),
        ...(info && { memoryBytes: info.memoryBytes, processes: info.processes }),
        ...(info?.disk && { diskBytes: info.disk.totalBytes - info.disk.freeBytes }),
      };
    });
  } catch (error) {
    throw fromSandbox(error);
  }
}

export async function stopSandboxOf(admin: Actor, userId: string): Promise<void> {
  const person = await requirePerson(userId);
  await (await sandboxes()).stop(userId).catch(rethrow);
  await writeAudit(admin, "sandbox.stopped", { id: userId, name: person.email });
}

/** With the workspace and everything in it. */
export async function destroySandboxOf(admin: Actor, userId: string): Promise<void> {
  const person = await requirePerson(userId);
  await destroySandbox(userId).catch(rethrow);
  await writeAudit(admin, "sandbox.destroyed", { id: userId, name: person.email });
}

function rethrow(error: unknown): never {
  throw fromSandbox(error);
}
