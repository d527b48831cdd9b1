import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { Ago } from "#app/_components/ago.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { Section } from "#app/_components/section.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";
import { env } from "#env.ts";
import { tokensOf } from "#lib/tokens.ts";
import { removeToken } from "../actions.ts";
import { NewToken } from "./new-token.tsx";

export const metadata: Metadata = { title: "API tokens" };

export default async function TokensPage() {
  const user = await requirePageUser();
  const tokens = await tokensOf(user.id);
  return (
    <>
      <Section
        title="New API token"
        about="A token opens Cove's doors for scripts and agents, as you. Treat it like a password."
      >
        <NewToken address={env().COVE_URL} />
      </Section>
      <Section title="Your tokens">
        {tokens.length === 0 ? (
          <p className="flex items-center gap-2 rounded-lg border border-dashed px-4 py-6 text-muted text-sm">
            <KeyRound className="size-4" aria-hidden /> No tokens yet.
          </p>
        ) : (
          <ul className="divide-y rounded-lg border bg-surface">
            {tokens.map((token) => (
              <li key={token.id} className="flex items-center gap-3 px-4 py-3">
                <div className="min-w-0 flex-1">
                  <p className="flex min-w-0 items-baseline gap-2 text-sm">
                    <span className="truncate font-medium">{token.name}</span>
                    <code className="font-mono text-muted text-xs">{token.prefix}…</code>
                  </p>
                  <p className="text-muted text-xs">
                    Made <Ago at={token.createdAt} /> ·{" "}
                    {token.lastUsedAt ? (
                      <>
                        last used <Ago at={token.lastUsedAt} />
                      </>
                    ) : (
                      "never used"
                    )}{" "}
                    · <Expiry at={token.expiresAt} />
                  </p>
                </div>
                <Confirm
                  trigger="Revoke"
                  triggerLabel={`Revoke ${token.name}`}
                  title={`Revoke “${token.name}”?`}
                  about="Whatever uses it stops working at once."
                  submit="Revoke"
                  action={removeToken}
                >
                  <input type="hidden" name="id" value={token.id} />
                </Confirm>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function Expiry({ at }: { at: Date | null }) {
  if (!at) return "never expires";
  if (at < new Date()) return <span className="text-danger">expired</span>;
  return `expires ${at.toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" })}`;
}
