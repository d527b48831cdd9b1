import clsx from "clsx";
import { PackageX } from "lucide-react";

/** What a run made and nobody kept, in the server's own sentence. */
export function SkippedNote({ sentence, className }: { sentence?: string | null; className?: string }) {
  if (!sentence) return null;
  return (
    <p className={clsx("flex items-start gap-2 text-muted text-xs", className)}>
      <PackageX className="mt-px size-3.5 shrink-0" aria-hidden />
      <span className="min-w-0 break-words">{sentence}</span>
    </p>
  );
}
