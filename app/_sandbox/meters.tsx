import clsx from "clsx";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { durationText } from "#app/_results/duration.tsx";
import type { SandboxDetails, SandboxView, Use } from "#lib/own-sandbox/glance.ts";

/** What the states are called, and what they mean for whoever looks. */
export const STATES: Record<SandboxView["state"], { label: string; about: string; dot: string }> = {
  none: { label: "Not made yet", about: "The first run makes it.", dot: "bg-line-strong" },
  active: { label: "Running", about: "Pauses by itself when nothing goes on.", dot: "bg-accent" },
  paused: {
    label: "Paused",
    about: "Nothing goes on in it. The next run wakes it in a moment, with all variables.",
    dot: "bg-warning",
  },
  stopped: {
    label: "Stopped",
    about: "Its memory is freed, its files are kept. The next run starts it.",
    dot: "bg-line-strong",
  },
};

export function Meters({ details, cpu }: { details: SandboxDetails; cpu: number | undefined }) {
  const { label, about, dot } = STATES[details.state];
  return (
    <section aria-label="State" className="grid gap-4">
      <div className="grid gap-0.5">
        <p className="flex items-center gap-2 font-medium text-sm" role="status">
          <span className={clsx("size-2 rounded-full", dot)} aria-hidden />
          {label}
          {details.state === "active" && details.uptimeMs !== null && (
            <span className="font-normal text-muted text-xs">for {durationText(details.uptimeMs)}</span>
          )}
        </p>
        <p className="text-muted text-xs">{about}</p>
      </div>
      <div className="grid gap-3">
        <Meter
          name="CPU"
          share={cpu}
          text={`${percent(cpu)} of ${details.cpus} ${details.cpus === 1 ? "core" : "cores"}`}
        />
        <Meter name="Memory" share={shareOf(details.memory)} text={ofText(details.memory)} />
        <Meter
          name={details.quota === "hard" ? "Disk" : "Disk (soft quota)"}
          share={shareOf(details.disk)}
          text={ofText(details.disk)}
        />
      </div>
    </section>
  );
}

function Meter({ name, share, text }: { name: string; share: number | undefined; text: string }) {
  const full = (share ?? 0) > 0.9;
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between text-xs">
        <span className="text-muted">{name}</span>
        <span className={clsx("tabular-nums", full && "text-danger")}>{text}</span>
      </div>
      <meter aria-label={name} aria-valuetext={text} min={0} max={1} value={share ?? 0} className="sr-only" />
      <div className="h-1.5 overflow-hidden rounded-full bg-hover" aria-hidden>
        <div
          className={clsx("h-full rounded-full transition-[width]", full ? "bg-danger" : "bg-accent")}
          style={{ width: `${Math.round((share ?? 0) * 100)}%` }}
        />
      </div>
    </div>
  );
}

function ofText({ used, total }: Use): string {
  return `${used === null ? "–" : formatBytes(used)} of ${formatBytes(total)}`;
}

export function percent(share: number | undefined | null): string {
  return share === undefined || share === null ? "–" : `${Math.round(share * 100)} %`;
}

/** How much of it is used, from 0 to 1; nothing while that is unknown. */
export function shareOf(use: Use | undefined): number | undefined {
  return use && use.used !== null && use.total > 0 ? Math.min(1, use.used / use.total) : undefined;
}
