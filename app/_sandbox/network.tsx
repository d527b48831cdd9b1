import type { SandboxDetails } from "#lib/own-sandbox/glance.ts";
import { Nothing, Part } from "./part.tsx";

const MODES = {
  off: "Nothing can be reached.",
  packages: "Package registries can be reached, read-only.",
  open: "Every public host can be reached.",
};

/** What code may reach, and what it was refused within the last hour. */
export function Network({ details: { network, denials } }: { details: SandboxDetails }) {
  return (
    <Part title="Network" note={network.mode}>
      <p className="text-muted text-xs">
        {MODES[network.mode]}
        {network.allow.length > 0 && ` Also allowed: ${network.allow.join(", ")}.`}
      </p>
      {denials.length === 0 ? (
        <Nothing>Nothing was refused within the last hour.</Nothing>
      ) : (
        <ul aria-label="Refused" className="divide-y rounded-lg border bg-surface">
          {denials.map(({ host, port, reason, message, count }) => (
            <li key={`${host} ${port} ${reason}`} className="grid gap-0.5 px-3 py-2">
              <p className="flex justify-between gap-2 text-xs">
                <span className="break-all font-mono">
                  {host}:{port}
                </span>
                <span className="shrink-0 text-muted tabular-nums">{count} ×</span>
              </p>
              <p className="text-muted text-xs">{message}</p>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
