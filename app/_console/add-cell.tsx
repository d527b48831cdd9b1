import { Plus } from "lucide-react";
import { Button } from "#app/_components/button.tsx";
import type { CellKind } from "./document.ts";

const KINDS: [CellKind, string][] = [
  ["python", "Python"],
  ["bash", "Bash"],
  ["text", "Text"],
];

export function AddCell({ onAdd }: { onAdd: (kind: CellKind) => void }) {
  return (
    <div className="flex flex-wrap gap-1">
      {KINDS.map(([kind, name]) => (
        <Button
          key={kind}
          size="small"
          look="quiet"
          onClick={() => onAdd(kind)}
          aria-label={`Add ${name} cell`}
        >
          <Plus className="size-3.5" aria-hidden />
          {name}
        </Button>
      ))}
    </div>
  );
}
