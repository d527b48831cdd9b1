// Guards return who is asking, or throw. Identity comes from here and from nowhere else.
import { cache } from "react";
import { z } from "zod";
import { findSessionUser, touchSession } from "#db/queries/sessions.ts";
import type { User } from "#db/queries/users.ts";
import { bearerOf, type TokenBearer } from "../accounts/tokens.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { auth } from "./next-auth.ts";
import { refuseOtherSites } from "./own-origin.ts";

export interface SignedInUser extends User {
  sessionId: string;
}

/** The person behind the web session. Asked once per request, however many components need it. */
export const requireUser = cache(async (): Promise<SignedInUser> => {
  const sid = z.uuid().safeParse((await auth())?.sid);
  const user = sid.success ? await findSessionUser(db(), sid.data) : undefined;
  if (!user || !sid.success) throw new AppError("unauthenticated", "Please sign in.");
  await touchSession(db(), sid.data);
  return { ...user, sessionId: sid.data };
});

export async function requireAdmin(): Promise<SignedInUser> {
  const user = await requireUser();
  if (!user.admin) throw new AppError("forbidden", "This is for administrators.");
  return user;
}

/** The owner of the bearer token. A cookie never opens a token door, nor does a token in the address. */
export async function requireToken(request: Request): Promise<TokenBearer> {
  refuseOtherSites(request);
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!token) {
    throw new AppError(
      "unauthenticated",
      "Send an API token: `Authorization: Bearer cove_…`. Settings → API tokens makes one.",
    );
  }
  const bearer = await bearerOf(token);
  if (!bearer)
    throw new AppError("unauthenticated", "This API token is not valid: unknown, expired or revoked.");
  return bearer;
}

export async function requireAdminToken(request: Request): Promise<TokenBearer> {
  const bearer = await requireToken(request);
  if (!bearer.admin) throw new AppError("forbidden", "This is for administrators.");
  return bearer;
}
