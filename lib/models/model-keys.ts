// People's own keys for model providers: write-only, tested on request, removable.
import { deleteModelKey, findModelKeys, listModelKeys, putModelKey } from "#db/queries/model-keys.ts";
import { limitAttempts } from "../accounts/attempt-limits.ts";
import { AppError } from "../app-error.ts";
import { writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { checkModelUrl } from "./checked-fetch.ts";
import { credentialsOf, type Provider } from "./credentials.ts";
import { sealKey } from "./key-cipher.ts";
import { reachableNow } from "./list-models.ts";

export interface ModelKey {
  provider: string;
  /** The last four characters; never more. */
  hint: string;
  baseUrl?: string;
  createdAt: Date;
}

export async function modelKeysOf(userId: string): Promise<ModelKey[]> {
  const rows = await listModelKeys(db(), userId);
  return rows.map(({ baseUrl, ...rest }) => ({ ...rest, ...(baseUrl && { baseUrl }) }));
}

export async function saveModelKey(
  userId: string,
  provider: Provider,
  input: { key: string; baseUrl?: string },
): Promise<void> {
  await limitAttempts("account:change", userId);
  const baseUrl = input.baseUrl?.replace(/\/+$/, "") || null;
  const key = input.key.trim();
  if (provider === "local") {
    if (!baseUrl) throw new AppError("bad_request", "Say where the server answers.", { field: "baseUrl" });
    await checkModelUrl(baseUrl);
  } else if (baseUrl) {
    const message = `${provider} has an address of its own. Use the provider "local" for another server.`;
    throw new AppError("bad_request", message, { field: "baseUrl" });
  } else if (!key) {
    throw new AppError("bad_request", "Paste the key.", { field: "key" });
  }
  const secret = sealKey(key, { userId, provider, baseUrl });
  // A short key would be given away by its last four characters.
  const hint = key.length >= 12 ? `…${key.slice(-4)}` : key ? "…" : "";
  await putModelKey(db(), { userId, provider, secret, hint, baseUrl });
  await writeAudit(userId, "model_key.saved", { name: provider });
}

export async function removeModelKey(userId: string, provider: Provider): Promise<void> {
  if (!(await deleteModelKey(db(), userId, provider))) throw noKey(provider);
  await writeAudit(userId, "model_key.removed", { name: provider });
}

/** Asks the provider for its models with this key. */
export async function testModelKey(
  userId: string,
  provider: Provider,
): Promise<{ ok: boolean; message: string }> {
  const own = (await findModelKeys(db(), userId)).some((row) => row.provider === provider);
  if (!own) throw noKey(provider);
  const credentials = (await credentialsOf(userId)).find((one) => one.provider === provider);
  if (!credentials) return { ok: false, message: "This key can't be read any more. Enter it again." };
  try {
    const models = await reachableNow(credentials);
    const count = models.length === 1 ? "1 model" : `${models.length} models`;
    return models.length > 0
      ? { ok: true, message: `It works: ${count} can be used.` }
      : { ok: false, message: "The key works, but no model that can chat is offered to it." };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    throw error;
  }
}

function noKey(provider: Provider): AppError {
  return new AppError("not_found", `You have no key for ${provider}.`);
}
