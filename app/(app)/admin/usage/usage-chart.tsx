import type { Usage } from "#lib/admin/usage.ts";

const HEIGHT = 56;
const WIDTH = 10;
const GAP = 2;
const LEAST = 1.5;

/** Runs and tokens per day, one above the other. */
export function UsageChart({ days }: { days: Usage["days"] }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Bars days={days} label="Runs" countOf={({ runs }) => runs} />
      <Bars days={days} label="Model tokens" countOf={({ tokens }) => tokens} />
    </div>
  );
}

function Bars({
  days,
  label,
  countOf,
}: {
  days: Usage["days"];
  label: string;
  countOf: (day: Usage["days"][number]) => number;
}) {
  const most = Math.max(1, ...days.map(countOf));
  const total = days.reduce((sum, day) => sum + countOf(day), 0);
  return (
    <figure className="grid gap-2 rounded-lg border bg-surface p-4">
      <figcaption className="text-muted text-xs">
        <strong className="font-semibold text-base text-ink tabular-nums">
          {total.toLocaleString("en")}
        </strong>{" "}
        {label.toLowerCase()} in {days.length} days
      </figcaption>
      <svg
        role="img"
        aria-label={`${label} per day`}
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-16 w-full"
      >
        <line x1="0" x2={days.length * WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-line" />
        {days.map((day, index) => {
          const value = countOf(day);
          const height = value === 0 ? 0 : Math.max(LEAST, (value / most) * (HEIGHT - 4));
          return (
            <rect
              key={day.day}
              x={index * WIDTH + GAP / 2}
              y={HEIGHT - height}
              width={WIDTH - GAP}
              height={height}
              className="fill-accent"
            >
              <title>{`${day.day}: ${value.toLocaleString("en")}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="flex justify-between text-muted text-xs" aria-hidden>
        <span>{days[0]?.day}</span>
        <span>Today</span>
      </div>
    </figure>
  );
}
