import { formatBytes } from "#app/_components/format-bytes.ts";
import { durationText } from "#app/_results/duration.tsx";
import type { SandboxDetails } from "#lib/own-sandbox/glance.ts";
import { ActButton } from "./act-button.tsx";
import { Nothing, Part } from "./part.tsx";

export function Sessions({
  details: { sessions, state },
  onChange,
}: {
  details: SandboxDetails;
  onChange: () => void;
}) {
  return (
    <Part title="Python sessions">
      {sessions.length === 0 ? (
        <Nothing>
          {state === "paused" ? "They rest with the sandbox, variables and all." : "None is open."}
        </Nothing>
      ) : (
        <ul className="divide-y rounded-lg border bg-surface">
          {sessions.map(({ name, busy, ageMs, memoryBytes }) => (
            <li key={name} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-mono text-xs">{name}</p>
                <p className="text-muted text-xs tabular-nums">
                  {busy ? "busy" : "idle"} · {durationText(ageMs)}
                  {memoryBytes !== null && ` · ${formatBytes(memoryBytes)}`}
                </p>
              </div>
              <ActButton
                url="/api/sandbox/sessions/reset"
                body={{ name }}
                label={`Reset session ${name}`}
                onDone={onChange}
              >
                Reset
              </ActButton>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
