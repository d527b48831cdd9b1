"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { PROVIDERS } from "#lib/models/credentials.ts";
import { removeModelKey, saveModelKey, testModelKey } from "#lib/models/model-keys.ts";

const provider = z.enum(PROVIDERS);

const keyForm = z.object({
  provider,
  key: z
    .string()
    .max(1000, "That is longer than any key.")
    .regex(/^[\x20-\x7e]*$/, "It has characters that no key has."),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "Give an address that begins with http:// or https://." })
    .max(1000)
    .optional(),
});

export const addKey = formAction(keyForm, async ({ provider, ...values }) => {
  const user = await requireUser();
  await saveModelKey(user.id, provider, values);
  const { ok, message } = await testModelKey(user.id, provider);
  revalidatePath("/settings/models");
  return ok ? { done: `Saved. ${message}` } : { problem: `Saved, but it does not work yet. ${message}` };
});

export const testKey = formAction(z.object({ provider }), async ({ provider }) => {
  const { ok, message } = await testModelKey((await requireUser()).id, provider);
  return ok ? { done: message } : { problem: message };
});

export const removeKey = formAction(z.object({ provider }), async ({ provider }) => {
  await removeModelKey((await requireUser()).id, provider);
  revalidatePath("/settings/models");
  return { done: "Removed." };
});
