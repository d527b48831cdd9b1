// Whoever makes the first account is administrator. Where more than this machine reaches the server, that takes a code which
// only the operator has seen: the start prints it, the same one until it has been used.
import { timingSafeEqual } from "node:crypto";
import { hasUsers } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { deriveKey } from "../installation.ts";

/** Neither 0 and O nor 1 and I: it is copied by hand. 12 of 32 are 60 bits. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 12;

/** The code that is needed now, if one is. */
export async function firstAccountCode(): Promise<string | undefined> {
  const { AUTH_SECRET, COVE_SIGNUP, loopbackOnly } = env();
  if (loopbackOnly || COVE_SIGNUP === "closed" || !AUTH_SECRET || (await hasUsers(db()))) return;
  const letters = [...deriveKey(AUTH_SECRET, "cove first account").subarray(0, LENGTH)]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** Small letters, spaces and other dashes are as good. */
export async function requireFirstAccountCode(typed = ""): Promise<void> {
  const code = await firstAccountCode();
  if (code === undefined) return;
  if (!isSame(bare(typed), bare(code))) {
    throw new AppError(
      "forbidden",
      "The first account needs the code that the start of Cove printed, beside the address where it is ready.",
      { field: "code" },
    );
  }
}

function bare(code: string): Buffer {
  return Buffer.from(code.toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
