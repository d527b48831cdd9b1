import { takeInstallationLock } from "#db/installation-lock.ts";
import { giveOrder } from "#db/orders.ts";
import { findInstallation } from "#db/queries/installation.ts";
import { listSandboxes } from "#db/queries/sandboxes.ts";
import { findUserByEmail, listUsers } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { destroySandbox } from "#lib/sandboxes/destroy-sandbox.ts";
import type { SandboxOrder } from "#lib/sandboxes/orders.ts";
import { openOwnSandboxes } from "#lib/sandboxes/sandboxes.ts";
import { ensureImage } from "#sandbox/build-image.ts";
import { connectEngine } from "#sandbox/connect-engine.ts";
import { containerStates } from "#sandbox/container-states.ts";
import { ensureSecret } from "../data-directory.ts";
import { parse } from "./parse.ts";

const PATIENCE_MS = 60_000;

/** `state` is what the engine says: one without a container is stopped. */
export async function sandboxList(args: string[]) {
  parse(args, [], {});
  const installation = await findInstallation(db());
  const [rows, users] = await Promise.all([listSandboxes(db()), listUsers(db())]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const { DOCKER_HOST, DOCKER_CERT_PATH } = env();
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  const states = installation && (await containerStates(engine, installation.id));
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

/** The server does it, if one runs: it alone knows what goes on. Otherwise this is the owner for the moment. */
async function administer(verb: SandboxOrder["verb"], args: string[], url: string) {
  const { positionals } = parse(args, ["email"], {});
  const user = await findUserByEmail(db(), positionals[0] ?? "");
  if (!user) throw new AppError("not_found", `There is no user ${positionals[0]}.`);
  const lock = await takeInstallationLock(url, { patienceMs: 0, onLost: () => undefined });
  if (lock) {
    await directly({ verb, userId: user.id }).finally(() => lock.release());
  } else {
    await giveOrder(url, { verb, userId: user.id } satisfies SandboxOrder, PATIENCE_MS);
  }
  const action = verb === "stop" ? "sandbox.stopped" : "sandbox.destroyed";
  await writeAudit(COMMAND_LINE, action, { id: user.id, name: user.email });
  return { [verb === "stop" ? "stopped" : "destroyed"]: user.email };
}

async function directly({ verb, userId }: SandboxOrder): Promise<void> {
  const { COVE_DATA_DIR, AUTH_SECRET, COVE_SANDBOX_IMAGE, DOCKER_HOST, DOCKER_CERT_PATH } = env();
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  const sandboxes = await openOwnSandboxes({
    AUTH_SECRET: await ensureSecret(COVE_DATA_DIR, AUTH_SECRET),
    COVE_SANDBOX_IMAGE: COVE_SANDBOX_IMAGE ?? (await ensureImage(engine)).tag,
    COVE_WARM_POOL: 0,
  });
  try {
    await (verb === "destroy" ? destroySandbox(userId, sandboxes) : sandboxes.stop(userId));
  } finally {
    await sandboxes.close("keep");
  }
}
