"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { deleteAccount } from "#lib/accounts/delete-account.ts";
import * as fields from "#lib/accounts/fields.ts";
import { changePassword, endOtherSessions, endOwnSession, rename } from "#lib/accounts/own-account.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { signOut } from "#lib/auth/next-auth.ts";
import { interruptTurns } from "#lib/chats/turns.ts";
import { sandboxes } from "#lib/sandboxes/sandboxes.ts";
import { createToken, revokeToken } from "#lib/tokens.ts";

export const saveProfile = formAction(z.object({ name: fields.name }), async ({ name }) => {
  await rename(await requireUser(), name);
  revalidatePath("/", "layout");
  return { done: "Saved." };
});

export const savePassword = formAction(
  z.object({ current: fields.givenPassword.optional(), next: fields.newPassword }),
  async ({ current = "", next }) => {
    await changePassword(await requireUser(), { current, next });
    revalidatePath("/settings/security");
    return { done: "Your password is changed, and all other sessions are signed out." };
  },
);

export const endSession = formAction(z.object({ id: z.uuid() }), async ({ id }) => {
  const user = await requireUser();
  await endOwnSession(user, id);
  if (id === user.sessionId) redirect("/sign-in");
  revalidatePath("/settings/security");
  return { done: "Signed out." };
});

export const endEveryOtherSession = formAction(z.object({}), async () => {
  const ended = await endOtherSessions(await requireUser());
  revalidatePath("/settings/security");
  return { done: ended === 1 ? "One session signed out." : `${ended} sessions signed out.` };
});

export const removeAccount = formAction(
  z.object({ confirmation: z.string().max(300), password: z.string().max(1024).default("") }),
  async (values) => {
    await deleteAccount(await requireUser(), values, async (userId) => {
      await interruptTurns(userId);
      await (await sandboxes()).destroy(userId);
    });
    await signOut({ redirect: false });
    redirect("/");
  },
);

const LIFETIMES = { "30": 30, "90": 90, "365": 365, never: undefined };

export const addToken = formAction(
  z.object({
    name: fields.name,
    lifetime: z.enum(["30", "90", "365", "never"], "Choose how long the token is valid."),
  }),
  async ({ name, lifetime }) => {
    const user = await requireUser();
    const days = LIFETIMES[lifetime];
    const expiresAt = days ? new Date(Date.now() + days * 24 * 60 * 60 * 1000) : undefined;
    const { token } = await createToken(user.id, { name, expiresAt });
    revalidatePath("/settings", "layout");
    return { result: token };
  },
);

export const removeToken = formAction(z.object({ id: z.uuid() }), async ({ id }) => {
  await revokeToken((await requireUser()).id, id);
  revalidatePath("/settings", "layout");
  return { done: "Revoked." };
});
