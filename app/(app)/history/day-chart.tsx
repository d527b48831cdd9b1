import Link from "next/link";
import type { DayOutcomes } from "#lib/history/outcomes-by-day.ts";

const OUTCOMES = [
  { key: "done", label: "done", fill: "fill-accent", dot: "bg-accent" },
  { key: "failed", label: "failed", fill: "fill-danger", dot: "bg-danger" },
  { key: "ended", label: "ended early", fill: "fill-line-strong", dot: "bg-line-strong" },
] as const;

const HEIGHT = 56;
const WIDTH = 10;
const GAP = 2;
const LEAST = 1.5;

/** Runs per day by outcome. Each day with runs leads to them, by pointer or keyboard. */
export function DayChart({
  days,
  selected,
  hrefOf,
}: {
  days: DayOutcomes[];
  selected?: string;
  hrefOf: (day: string) => string;
}) {
  const most = Math.max(1, ...days.map(total));
  return (
    <section aria-label={`Runs in the last ${days.length} days`} className="grid gap-2">
      <Counts days={days} />
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing of links is no set of fields. */}
      <svg
        role="group"
        aria-label="Runs per day"
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-16 w-full"
      >
        <line
          x1="0"
          x2={days.length * WIDTH}
          y1={HEIGHT}
          y2={HEIGHT}
          className="stroke-line"
          strokeWidth="1"
        />
        {days.map((day, index) => {
          const x = index * WIDTH;
          if (total(day) === 0) return null;
          return (
            <Link
              key={day.day}
              href={hrefOf(day.day)}
              aria-label={sentence(day)}
              className="group/day outline-none"
            >
              <title>{sentence(day)}</title>
              <rect
                x={x}
                y={0}
                width={WIDTH}
                height={HEIGHT}
                className={
                  day.day === selected
                    ? "fill-accent-soft"
                    : "fill-transparent group-hover/day:fill-hover group-focus-visible/day:fill-hover"
                }
              />
              <Bar day={day} x={x + GAP / 2} most={most} />
            </Link>
          );
        })}
      </svg>
      <div className="flex justify-between text-muted text-xs" aria-hidden>
        <span>{short(days[0]?.day)}</span>
        <span>Today</span>
      </div>
    </section>
  );
}

function Bar({ day, x, most }: { day: DayOutcomes; x: number; most: number }) {
  let y = HEIGHT;
  return OUTCOMES.map(({ key, fill }) => {
    if (day[key] === 0) return null;
    const height = Math.max(LEAST, (day[key] / most) * (HEIGHT - 4));
    y -= height;
    return <rect key={key} x={x} y={y} width={WIDTH - GAP} height={height} className={fill} />;
  });
}

function Counts({ days }: { days: DayOutcomes[] }) {
  const all = days.reduce((sum, day) => sum + total(day), 0);
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-muted text-xs">
      <span>
        <strong className="font-semibold text-base text-ink tabular-nums">{all.toLocaleString("en")}</strong>{" "}
        {all === 1 ? "run" : "runs"} in {days.length} days
      </span>
      {OUTCOMES.map(({ key, label, dot }) => (
        <span key={key} className="inline-flex items-center gap-1.5 tabular-nums">
          <span className={`size-2 rounded-xs ${dot}`} aria-hidden />
          {days.reduce((sum, day) => sum + day[key], 0).toLocaleString("en")} {label}
        </span>
      ))}
    </p>
  );
}

function total({ done, failed, ended }: DayOutcomes): number {
  return done + failed + ended;
}

function sentence(day: DayOutcomes): string {
  const parts = OUTCOMES.filter(({ key }) => day[key] > 0).map(({ key, label }) => `${day[key]} ${label}`);
  return `${short(day.day)}: ${parts.join(", ")}`;
}

function short(day: string | undefined): string {
  if (!day) return "";
  return new Date(day).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });
}
