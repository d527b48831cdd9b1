import type { Summary } from "./conversations.ts";

const DAY = 86_400_000;

/** Conversations under the name of their time, newest first, as the clock on the wall has it. */
export function byDate(items: Summary[], now = new Date()): { label: string; items: Summary[] }[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups = new Map<string, Summary[]>();
  for (const item of items) {
    const label = labelOf(Date.parse(item.updatedAt), today);
    groups.set(label, [...(groups.get(label) ?? []), item]);
  }
  return [...groups].map(([label, items]) => ({ label, items }));
}

function labelOf(at: number, today: number): string {
  if (at >= today) return "Today";
  if (at >= today - DAY) return "Yesterday";
  if (at >= today - 7 * DAY) return "Last 7 days";
  if (at >= today - 30 * DAY) return "Last 30 days";
  return new Date(at).toLocaleDateString("en", { month: "long", year: "numeric" });
}
