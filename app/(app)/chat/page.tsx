import type { Metadata } from "next";
import { Chat } from "#app/_chat/chat.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Chat" };

export default async function ChatPage() {
  await requirePageUser();
  return <Chat />;
}
