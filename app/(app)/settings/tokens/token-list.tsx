import { KeyRound } from "lucide-react";
import { Confirm } from "#app/_components/confirm.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { removeToken } from "../actions.ts";

interface Token {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

export function TokenList({ tokens }: { tokens: Token[] }) {
  return tokens.length === 0 ? (
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
  );
}

function Expiry({ at }: { at: Date | null }) {
  if (!at) return "never expires";
  if (at < new Date()) return <span className="text-danger">expired</span>;
  return `expires ${at.toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" })}`;
}
