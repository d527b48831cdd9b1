"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { createSkill, customiseSkill, deleteSkill, editSkill, setSkill } from "#lib/files/change-skills.ts";
import { checkSkillText, type SkillCheck } from "#lib/skills/check-skill.ts";

const name = z.string().trim().max(200);
const text = z.string().max(300_000, "SKILL.md is larger than 256 kB.");

export const switchOne = formAction(z.object({ name, on: z.enum(["yes", "no"]) }), async ({ name, on }) => {
  const user = await requireUser();
  await setSkill(user.id, name, on === "yes");
  revalidatePath("/skills", "layout");
  return { done: on === "yes" ? "Switched on." : "Switched off." };
});

export const addOne = formAction(z.object({ name, text }), async ({ name, text }) => {
  const user = await requireUser();
  await createSkill(user.id, name, text);
  revalidatePath("/skills", "layout");
  redirect(`/skills/${name}`);
});

export const editOne = formAction(z.object({ name, text }), async ({ name, text }) => {
  const user = await requireUser();
  await editSkill(user.id, name, text);
  revalidatePath("/skills", "layout");
  redirect(`/skills/${name}`);
});

export const customiseOne = formAction(z.object({ name }), async ({ name }) => {
  const user = await requireUser();
  await customiseSkill(user.id, name);
  revalidatePath("/skills", "layout");
  redirect(`/skills/${name}/edit`);
});

export const deleteOne = formAction(z.object({ name }), async ({ name }) => {
  const user = await requireUser();
  await deleteSkill(user.id, name);
  revalidatePath("/skills", "layout");
  redirect("/skills");
});

/** What the validator says of a text that is being written. */
export async function validate(name: string, text: string): Promise<SkillCheck> {
  await requireUser();
  if (typeof name !== "string" || typeof text !== "string") return { valid: false, problems: [], advice: [] };
  return checkSkillText(name.trim().slice(0, 200), text.slice(0, 300_000));
}
