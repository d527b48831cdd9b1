"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { formAction } from "#app/_forms/form-action.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { stopExecution } from "#lib/executions/follow.ts";
import { deleteRuns } from "#lib/history/history.ts";
import { runAgain } from "#lib/history/run-again.ts";

const MOST = 200;
const one = z.object({ id: z.uuid() });
const ids = z
  .string()
  .max(MOST * 40)
  .transform((text) => text.split(","))
  .pipe(z.array(z.uuid()).min(1).max(MOST));

export const stopRun = formAction(one, async ({ id }) => {
  const { status } = await stopExecution((await requireUser()).id, id);
  revalidatePath("/history");
  return { done: status === "running" || status === "queued" ? "It is being stopped." : "Stopped." };
});

export const repeatRun = formAction(one, async ({ id }) => {
  redirect(`/history/${await runAgain((await requireUser()).id, id)}`);
});

export const removeRuns = formAction(z.object({ ids }), async ({ ids }) => {
  const deleted = await deleteRuns((await requireUser()).id, ids);
  revalidatePath("/history");
  return { done: deleted === 1 ? "One run deleted." : `${deleted} runs deleted.` };
});

export const removeRun = formAction(one, async ({ id }) => {
  await deleteRuns((await requireUser()).id, [id]);
  redirect("/history");
});
