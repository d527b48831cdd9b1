import { findInstallation } from "#db/queries/installation.ts";
import { listSandboxes } from "#db/queries/sandboxes.ts";
import { listUsers } from "#db/queries/users.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { engine } from "#lib/engine.ts";
import { destroySandbox } from "#lib/own-sandbox/destroy-sandbox.ts";
import { onInstallation, withOwnSandboxes } from "./on-installation.ts";
import { parse } from "./parse.ts";
import { userNamed } from "./user-named.ts";

const PATIENCE_MS = 60_000;

/** `state` is what the engine says: one without a machine is stopped. */
export async function sandboxList(args: string[]) {
  parse(args, [], {});
  const installation = await findInstallation(db());
  const [rows, users] = await Promise.all([listSandboxes(db()), listUsers(db())]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const states = installation && (await engine().machineStates(installation.id));
  return rows.map(({ id, uid, userId }) => ({
    id,
    uid,
    user: userId === null ? null : (emails.get(userId) ?? null),
    state: states?.get(id) ?? "stopped",
  }));
}

/** Frees its memory; the files stay. */
export const sandboxStop = (args: string[], url: string) => administer("stop", args, url);
/** Removes it with all its files. */
export const sandboxDestroy = (args: string[], url: string) => administer("destroy", args, url);

async function administer(verb: "stop" | "destroy", args: string[], url: string) {
  const { positionals } = parse(args, ["email"], {});
  const user = await userNamed(positionals[0]);
  await onInstallation(url, {
    order: { verb, userId: user.id },
    patienceMs: PATIENCE_MS,
    directly: () =>
      withOwnSandboxes((sandboxes) =>
        verb === "destroy" ? destroySandbox(user.id, sandboxes) : sandboxes.stop(user.id),
      ),
  });
  const action = verb === "stop" ? "sandbox.stopped" : "sandbox.destroyed";
  await writeAudit(COMMAND_LINE, action, { id: user.id, name: user.email });
  return { [verb === "stop" ? "stopped" : "destroyed"]: user.email };
}
