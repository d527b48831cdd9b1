import { durationText } from "./duration-text.ts";

export function Duration({ ms, className }: { ms: number; className?: string }) {
  return <span className={className}>{durationText(ms)}</span>;
}
