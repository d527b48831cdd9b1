// Encrypts people's model keys: AES-256-GCM with a key from AUTH_SECRET. Whose key it is, for which provider and for which
// address is part of what is authenticated, so a ciphertext moved to another row doesn't open there.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "#env.ts";
import { deriveKey } from "../installation.ts";

export interface KeyPlace {
  userId: string;
  provider: string;
  baseUrl: string | null;
}

const NONCE = 12;
const TAG = 16;

export function sealKey(key: string, place: KeyPlace): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(), nonce).setAAD(named(place));
  const sealed = Buffer.concat([cipher.update(key, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when it was sealed for another place, with another secret, or was changed. */
export function openKey(sealed: Buffer, place: KeyPlace): string {
  const decipher = createDecipheriv("aes-256-gcm", cipherKey(), sealed.subarray(0, NONCE), {
    authTagLength: TAG,
  })
    .setAAD(named(place))
    .setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString("utf8");
}

function named({ userId, provider, baseUrl }: KeyPlace): Buffer {
  return Buffer.from(JSON.stringify([userId, provider, baseUrl]));
}

function cipherKey(): Buffer {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set: start the server with `npm start`, which sets it.");
  return deriveKey(secret, "cove model keys");
}
