import type { Metadata } from "next";
import Link from "next/link";
import { Section } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { env } from "#env.ts";
import { tokensOf } from "#lib/accounts/tokens.ts";
import { NewToken } from "./new-token.tsx";
import { TokenList } from "./token-list.tsx";

export const metadata: Metadata = { title: "API tokens" };

export default async function TokensPage() {
  const user = await requirePageUser();
  const tokens = await tokensOf(user.id);
  return (
    <>
      <Section
        title="New API token"
        about={
          <>
            A token opens Cove's doors for scripts and agents, as you. Treat it like a password.{" "}
            <Link href="/settings/connect" className="text-accent underline underline-offset-2">
              Connect a client
            </Link>{" "}
            has the set-up for each, ready to copy.
          </>
        }
      >
        <NewToken address={env().COVE_URL} />
      </Section>
      <Section title="Your tokens">
        <TokenList tokens={tokens} />
      </Section>
    </>
  );
}
