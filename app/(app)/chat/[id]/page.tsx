import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { Chat } from "#app/_chat/chat.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { AppError } from "#lib/app-error.ts";
import { openConversation } from "#lib/chats/conversations.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title } = await open((await params).id);
  return { title: title || "New conversation" };
}

export default async function ConversationPage({ params }: Props) {
  const conversation = await open((await params).id);
  return <Chat key={conversation.id} conversation={conversation} />;
}

/** Once per request, for the title and the page. */
const open = cache(async (id: string) => {
  const user = await requirePageUser();
  if (!z.uuid().safeParse(id).success) notFound();
  return openConversation(user.id, id).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  });
});
