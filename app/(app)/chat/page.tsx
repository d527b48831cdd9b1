import type { Metadata } from "next";
import { Chat } from "#app/_chat/chat.tsx";
import { requirePageUser } from "#app/_http/guards.ts";

export const metadata: Metadata = { title: "Chat" };

// A link may bring the beginning of a message; it is never sent by itself.
const LONGEST_DRAFT = 4000;

export default async function ChatPage({ searchParams }: PageProps<"/chat">) {
  await requirePageUser();
  const { draft: text } = await searchParams;
  const draft = typeof text === "string" ? text.slice(0, LONGEST_DRAFT) : "";
  return <Chat key={draft} draft={draft} />;
}
