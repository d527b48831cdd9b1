import type { Metadata } from "next";
import { Section } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { env } from "#env.ts";
import { tokensOf } from "#lib/accounts/tokens.ts";
import { TokenList } from "../tokens/token-list.tsx";
import { ConnectGuide } from "./guide.tsx";

export const metadata: Metadata = { title: "Connect" };

export default async function ConnectPage() {
  const user = await requirePageUser();
  return (
    <>
      <ConnectGuide address={env().COVE_URL} />
      <Section title="Your tokens">
        <TokenList tokens={await tokensOf(user.id)} />
      </Section>
    </>
  );
}
