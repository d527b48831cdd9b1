import { Button } from "#app/_components/button.tsx";
import type { Saving } from "./use-saved.ts";

export function SaveState({ saving }: { saving: Saving }) {
  const [words, tone] =
    saving.is === "saved"
      ? ["Saved", "text-muted"]
      : saving.is === "saving"
        ? ["Saving…", "text-muted"]
        : ["Not saved", "text-danger"];
  return (
    <span role="status" className={`whitespace-nowrap text-xs ${tone}`}>
      {words}
      {saving.is === "unsaved" && <span className="max-md:sr-only">: {saving.problem}</span>}
    </span>
  );
}

/** Two pages changed the same console: neither is thrown away without being asked. */
export function Conflict({ onLoad, onCopy }: { onLoad: () => void; onCopy: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-danger bg-danger-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-72">
        <strong className="font-semibold">This console was changed in another tab or window.</strong> What you
        type here is not saved until you choose.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onLoad}>
          Load that version
        </Button>
        <Button size="small" onClick={onCopy}>
          Keep mine as a copy
        </Button>
      </div>
    </div>
  );
}
