import type { SandboxView } from "#lib/own-sandbox/glance.ts";

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

export function percent(share: number | undefined | null): string {
  return share === undefined || share === null ? "–" : `${Math.round(share * 100)} %`;
}
