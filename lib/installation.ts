// Who this installation is. Also notices an AUTH_SECRET that is not the one everything was encrypted and signed with.
import { hkdfSync, timingSafeEqual } from "node:crypto";
import { v7 } from "uuid";
import { findOrInsertInstallation } from "#db/queries/installation.ts";
import { AppError } from "./app-error.ts";
import { db } from "./database.ts";

/** `name` becomes its id, if this is the first time. */
export async function openInstallation(secret: string, name = v7()): Promise<{ id: string }> {
  const check = deriveKey(secret, "cove key check");
  const { id, keyCheck } = await findOrInsertInstallation(db(), {
    id: name,
    keyCheck: check.toString("hex"),
  });
  const expected = Buffer.from(keyCheck, "hex");
  if (expected.length !== check.length || !timingSafeEqual(expected, check)) {
    throw new AppError(
      "conflict",
      "AUTH_SECRET is not the one this installation was made with. Put the old one back (it is in the file " +
        "`secret` of the data directory unless you set it yourself): sessions and stored keys depend on it.",
    );
  }
  return { id };
}

/** AUTH_SECRET is the root; every use gets a key of its own. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "cove", purpose, 32));
}
