import { MessageSquare } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Chat" };

export default async function ChatPage() {
  await requirePageUser();
  return (
    <Page title="Chat">
      <EmptyState
        icon={MessageSquare}
        title="Ask for something in words"
        action={
          <Link href="/settings/tokens" className={buttonClass()}>
            Create an API token
          </Link>
        }
      >
        An agent will write code here, run it in your private container, read the errors, and hand over the
        result. Conversations arrive in a coming release.
      </EmptyState>
    </Page>
  );
}
