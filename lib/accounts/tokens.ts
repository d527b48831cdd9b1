// API tokens: `cove_` and 32 random bytes. Only a SHA-256 is kept, which is enough for a secret nobody can guess.
import { createHash, randomBytes } from "node:crypto";
import {
  type ApiToken,
  countTokens,
  deleteAnyToken,
  deleteToken,
  findTokenUser,
  insertToken,
  listTokens,
  touchToken,
} from "#db/queries/tokens.ts";
import type { User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { type Actor, COMMAND_LINE, writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { requireBelow } from "../growth-bounds.ts";
import { limitAttempts } from "./attempt-limits.ts";

const TOKEN = /^cove_[A-Za-z0-9_-]{43}$/;

export interface TokenBearer extends User {
  tokenId: string;
  tokenExpiresAt: Date | null;
}

/** The token itself is in the answer and nowhere else: it can't be shown again. */
export async function createToken(
  userId: string,
  { name, expiresAt }: { name: string; expiresAt?: Date },
  by: Actor | string = userId,
): Promise<ApiToken & { token: string }> {
  if (by === userId) await limitAttempts("account:change", userId);
  requireBelow("tokens", (await listTokens(db(), userId)).length);
  const token = `cove_${randomBytes(32).toString("base64url")}`;
  const row = await insertToken(db(), {
    userId,
    name,
    hash: digest(token),
    prefix: token.slice(0, 11),
    expiresAt,
  });
  await writeAudit(by, "token.created", { id: row.id, name });
  return { ...row, token };
}

export function tokensOf(userId: string): Promise<ApiToken[]> {
  return listTokens(db(), userId);
}

/** How many still open something. */
export function countTokensOf(userId: string): Promise<number> {
  return countTokens(db(), userId);
}

/** Whose token this is, or nothing. What can't be a token of ours never reaches the database. */
export async function bearerOf(token: string): Promise<TokenBearer | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const found = await findTokenUser(db(), digest(token));
  if (!found) return undefined;
  if (found.stale) await touchToken(db(), found.tokenId);
  return { ...found.user, tokenId: found.tokenId, tokenExpiresAt: found.expiresAt };
}

export async function revokeToken(userId: string, id: string): Promise<void> {
  if (!(await deleteToken(db(), userId, id))) throw new AppError("not_found", "There is no such token.");
  await writeAudit(userId, "token.revoked", { id, name: id });
}

export async function revokeAnyToken(id: string): Promise<void> {
  if (!(await deleteAnyToken(db(), id))) throw new AppError("not_found", "There is no such token.");
  await writeAudit(COMMAND_LINE, "token.revoked", { id, name: id });
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
