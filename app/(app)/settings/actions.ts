"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import * as fields from "#lib/accounts/fields.ts";
import {
  changePassword,
  deleteAccount,
  endOtherSessions,
  endOwnSession,
  rename,
} from "#lib/accounts/own-account.ts";
import { createToken, revokeToken } from "#lib/accounts/tokens.ts";
import { endWhatRuns } from "#lib/admin/end-what-runs.ts";
import { writeDeviceCookie } from "#lib/auth/cookies.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { signOut } from "#lib/auth/next-auth.ts";

export const saveProfile = formAction(z.object({ name: fields.name }), async ({ name }) => {
  await rename(await requireUser(), name);
  revalidatePath("/", "layout");
  return { done: "Saved." };
});

export const savePassword = formAction(
  z.object({
    current: fields.givenPassword.optional(),
    next: fields.newPassword,
    revokeTokens: fields.ticked,
  }),
  async ({ current = "", next, revokeTokens }) => {
    const user = await requireUser();
    const revoked = await changePassword(user, { current, next, revokeTokens });
    await writeDeviceCookie(user.id);
    revalidatePath("/settings", "layout");
    const tokens = revoked === 1 ? "One API token is revoked." : `${revoked} API tokens are revoked.`;
    return {
      done: `Your password is changed, and all other sessions are signed out.${revoked ? ` ${tokens}` : ""}`,
    };
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
  const user = await requireUser();
  const ended = await endOtherSessions(user);
  await writeDeviceCookie(user.id);
  revalidatePath("/settings/security");
  return { done: ended === 1 ? "One session signed out." : `${ended} sessions signed out.` };
});

export const removeAccount = formAction(
  z.object({ confirmation: z.string().max(300), password: z.string().max(1024).default("") }),
  async (values) => {
    await deleteAccount(await requireUser(), values, endWhatRuns);
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
