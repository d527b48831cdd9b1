import { TriangleAlert } from "lucide-react";
import { Button } from "#app/_components/button.tsx";

/** Nothing is lost silently: whose version stays is the person's choice. */
export function Conflict({
  kind,
  onReload,
  onOverwrite,
}: {
  kind: "changed" | "gone";
  onReload: () => void;
  onOverwrite: () => void;
}) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 border-b bg-danger-soft px-4 py-2 text-[13px] text-danger"
    >
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <span className="min-w-48 flex-1">
        {kind === "gone"
          ? "This file was deleted or moved since you opened it."
          : "This file was changed in the workspace since you opened it."}
      </span>
      {kind === "changed" && (
        <Button size="small" onClick={onReload}>
          Discard mine and reload
        </Button>
      )}
      <Button size="small" onClick={onOverwrite}>
        {kind === "gone" ? "Save it again" : "Overwrite with mine"}
      </Button>
    </div>
  );
}
