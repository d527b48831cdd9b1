import Link from "next/link";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { durationText } from "#app/_results/duration.tsx";
import { inertText } from "#app/_results/terminal-text.ts";
import type { SandboxDetails } from "#lib/own-sandbox/glance.ts";
import { ActButton } from "./act-button.tsx";
import { Nothing, Part } from "./part.tsx";

/** What runs besides idle sessions, and a button to end each. */
export function Processes({
  details: { running, processes, pidsLimit },
  onChange,
}: {
  details: SandboxDetails;
  onChange: () => void;
}) {
  return (
    <Part title="Processes" note={`${processes} of ${pidsLimit}`}>
      {running.length === 0 ? (
        <Nothing>Nothing is running.</Nothing>
      ) : (
        <ul className="divide-y rounded-lg border bg-surface">
          {running.map(({ pid, started, name, command, cpuMs, memoryBytes, ageMs, executionId, session }) => (
            <li key={`${pid} ${started}`} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-mono text-xs" title={inertText(command)}>
                  {inertText(command)}
                </p>
                <p className="truncate text-muted text-xs tabular-nums">
                  {durationText(ageMs)} · CPU {durationText(cpuMs)}
                  {memoryBytes !== null && ` · ${formatBytes(memoryBytes)}`}
                  {session !== undefined && ` · session ${session}`}
                  {executionId !== undefined && (
                    <>
                      {" · "}
                      <Link href={`/history/${encodeURIComponent(executionId)}`} className="hover:underline">
                        run
                      </Link>
                    </>
                  )}
                </p>
              </div>
              <ActButton
                url="/api/sandbox/processes/stop"
                body={{ pid, started }}
                label={`Stop ${inertText(name)} (${pid})`}
                onDone={onChange}
              >
                Stop
              </ActButton>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

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
