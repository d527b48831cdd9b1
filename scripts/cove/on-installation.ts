import { takeInstallationLock } from "#db/installation-lock.ts";
import { giveOrder } from "#db/orders.ts";
import { env } from "#env.ts";
import type { Order } from "#lib/admin/orders.ts";
import { openOwnSandboxes } from "#lib/sandboxes/sandboxes.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import type { Sandboxes } from "#sandbox/index.ts";
import { ensureSecret } from "../data-directory.ts";

/** The server does it, if one runs: it alone knows what goes on. Otherwise this process is the owner for the moment. */
export async function onInstallation(
  url: string,
  { order, patienceMs, directly }: { order: Order; patienceMs: number; directly: () => Promise<void> },
): Promise<void> {
  const lock = await takeInstallationLock(url, { patienceMs: 0, onLost: () => undefined });
  if (lock) await directly().finally(() => lock.release());
  else await giveOrder(url, order, patienceMs);
}

/** For the owner: sandboxes as a server has them, and nothing else of it. */
export async function withOwnSandboxes(work: (sandboxes: Sandboxes) => Promise<void>): Promise<void> {
  const sandboxes = await openSandboxesForTheMoment();
  await work(sandboxes).finally(() => sandboxes.close("keep"));
}

/** The same, for whoever closes them by himself. */
export async function openSandboxesForTheMoment(): Promise<Sandboxes> {
  const { COVE_DATA_DIR, AUTH_SECRET, COVE_SANDBOX_IMAGE, DOCKER_HOST, DOCKER_CERT_PATH } = env();
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  return openOwnSandboxes({
    AUTH_SECRET: await ensureSecret(COVE_DATA_DIR, AUTH_SECRET),
    COVE_SANDBOX_IMAGE: COVE_SANDBOX_IMAGE ?? (await ensureImage(engine)).tag,
    COVE_WARM_POOL: 0,
  });
}
