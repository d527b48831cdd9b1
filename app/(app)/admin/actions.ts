"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import * as fields from "#lib/accounts/fields.ts";
import { invitePerson, revokeInvitation } from "#lib/admin/invitations.ts";
import { allowHost, removeHost } from "#lib/admin/network.ts";
import * as people from "#lib/admin/people.ts";
import { destroySandboxOf, stopSandboxOf } from "#lib/admin/sandboxes.ts";
import type { Actor } from "#lib/audit.ts";
import { requireAdmin } from "#lib/auth/guards.ts";

const person = z.object({ id: z.uuid() });

export const disable = forPerson(people.disablePerson, "Disabled.");
export const enable = forPerson(people.enablePerson, "Enabled.");
export const promote = forPerson(people.promotePerson, "Made administrator.");
export const demote = forPerson(people.demotePerson, "No longer administrator.");
export const stopSandbox = forPerson(stopSandboxOf, "Stopped.");
export const destroySandbox = forPerson(destroySandboxOf, "Deleted.");

const named = z.object({ host: z.string().min(1, "Which host?").max(253, "No host has a name that long.") });

export const allow = formAction(named, async ({ host }) => {
  await allowHost(await requireAdmin(), host);
  revalidatePath("/admin/network");
  return { done: "Allowed." };
});

export const disallow = formAction(named, async ({ host }) => {
  await removeHost(await requireAdmin(), host);
  revalidatePath("/admin/network");
  return { done: "Removed." };
});

export const resetPassword = formAction(
  person.extend({ revokeTokens: fields.ticked }),
  async ({ id, revokeTokens }) => {
    const password = await people.resetPassword(await requireAdmin(), id, { revokeTokens });
    revalidatePath("/admin", "layout");
    return { result: password };
  },
);

export const invite = formAction(
  z.object({ email: fields.email, admin: fields.ticked }),
  async (invitation) => {
    const link = await invitePerson(await requireAdmin(), invitation);
    revalidatePath("/admin/users");
    return { result: { email: invitation.email, link } };
  },
);

export const uninvite = formAction(z.object({ id: z.uuid() }), async ({ id }) => {
  await revokeInvitation(await requireAdmin(), id);
  revalidatePath("/admin/users");
  return { done: "Revoked." };
});

function forPerson(work: (admin: Actor, id: string) => Promise<void>, done: string) {
  return formAction(person, async ({ id }) => {
    await work(await requireAdmin(), id);
    revalidatePath("/admin", "layout");
    return { done };
  });
}
