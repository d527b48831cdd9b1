import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { Console } from "#app/_console/console.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { AppError } from "#lib/app-error.ts";
import { listConsoles, openConsole } from "#lib/console/consoles.ts";

export const metadata: Metadata = { title: "Console" };

export default async function ConsolePage({ params }: { params: Promise<{ id: string }> }) {
  const user = await requirePageUser();
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const [opened, consoles] = await Promise.all([
    openConsole(user.id, id.data).catch(orNotFound),
    listConsoles(user.id),
  ]);
  return (
    <Console key={opened.id} opened={opened} consoles={consoles.map(({ id, name }) => ({ id, name }))} />
  );
}

function orNotFound(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
