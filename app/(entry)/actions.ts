"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { safeNext } from "#app/_http/safe-next.ts";
import * as fields from "#lib/accounts/fields.ts";
import { signUp } from "#lib/accounts/sign-up.ts";
import { clientAddress } from "#lib/auth/client-address.ts";
import { SignInRefused, signIn } from "#lib/auth/next-auth.ts";

const next = z.string().optional();

export const signInWithPassword = formAction(
  z.object({ email: fields.email, password: fields.givenPassword, next }),
  async (values) => {
    await startSession(values);
    redirect(safeNext(values.next));
  },
);

export const signUpWithPassword = formAction(
  z.object({ name: fields.name, email: fields.email, password: fields.newPassword, next }),
  async (values) => {
    await signUp({ ...values, address: clientAddress(await headers()) });
    await startSession(values);
    redirect(safeNext(values.next));
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
