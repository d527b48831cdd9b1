"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { safeNext } from "#app/_http/safe-next.ts";
import { clientAddress } from "#lib/accounts/client-address.ts";
import * as fields from "#lib/accounts/fields.ts";
import { findOpenInvitation, redeemInvitation } from "#lib/accounts/redeem-invitation.ts";
import { signUp } from "#lib/accounts/sign-up.ts";
import { SignInRefused, signIn, signOut } from "#lib/auth/next-auth.ts";

const next = z.string().optional();

export const signInWithPassword = formAction(
  z.object({ email: fields.email, password: fields.givenPassword, next }),
  async (values) => {
    await startSession(values);
    redirect(safeNext(values.next));
  },
);

export const signUpWithPassword = formAction(
  z.object({
    name: fields.name,
    email: fields.email,
    password: fields.newPassword,
    code: fields.firstAccountCode,
    next,
  }),
  async (values) => {
    await signUp({ ...values, address: clientAddress(await headers()) });
    await startSession(values);
    redirect(safeNext(values.next));
  },
);

/** What the page of an invitation shows before anybody has joined. */
export const openInvitation = formAction(
  z.object({ secret: fields.invitationSecret }),
  async ({ secret }) => {
    const { email, admin } = await findOpenInvitation(secret, clientAddress(await headers()));
    return { result: { email, admin } };
  },
);

export const joinWithPassword = formAction(
  z.object({ secret: fields.invitationSecret, name: fields.name, password: fields.newPassword }),
  async ({ secret, name, password }) => {
    const address = clientAddress(await headers());
    const { email } = await redeemInvitation(secret, { name, password, address });
    await startSession({ email, password });
    redirect("/chat");
  },
);

export async function signInWithProvider(provider: "github" | "google", target: string): Promise<void> {
  await signIn(provider, { redirectTo: safeNext(target) });
}

async function startSession({ email, password }: { email: string; password: string }): Promise<void> {
  try {
    await signIn("credentials", { email, password, redirect: false });
  } catch (error) {
    throw error instanceof SignInRefused ? error.reason : error;
  }
}

export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
  redirect("/");
}
