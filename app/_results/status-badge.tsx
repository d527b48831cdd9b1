import clsx from "clsx";
import {
  CircleCheck,
  CircleSlash,
  CircleX,
  Clock,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";

type Tone = "plain" | "good" | "bad";

const STATUSES: Record<string, { label: string; icon: LucideIcon; tone: Tone }> = {
  queued: { label: "Waiting", icon: Clock, tone: "plain" },
  running: { label: "Running", icon: LoaderCircle, tone: "plain" },
  completed: { label: "Done", icon: CircleCheck, tone: "good" },
  failed: { label: "Failed", icon: CircleX, tone: "bad" },
  timeout: { label: "Timed out", icon: Hourglass, tone: "bad" },
  oom: { label: "Out of memory", icon: CircleX, tone: "bad" },
  cancelled: { label: "Stopped", icon: CircleSlash, tone: "plain" },
  interrupted: { label: "Interrupted", icon: CircleSlash, tone: "bad" },
};

/** How a run stands, or how it ended; a non-zero exit code says more than "failed". */
export function StatusBadge({ status, exitCode }: { status: string; exitCode?: number | null }) {
  const { label, icon: Icon, tone } = STATUSES[status] ?? { label: status, icon: CircleSlash, tone: "plain" };
  return (
    <span
      className={clsx(
        "inline-flex shrink-0 items-center gap-1 whitespace-nowrap text-xs",
        tone === "good" && "text-accent",
        tone === "bad" && "text-danger",
        tone === "plain" && "text-muted",
      )}
    >
      <Icon className={clsx("size-3.5", status === "running" && "animate-spin")} aria-hidden />
      {status === "failed" && exitCode != null ? `Exit ${exitCode}` : label}
    </span>
  );
}
