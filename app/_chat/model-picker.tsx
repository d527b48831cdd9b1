import { ChevronDown } from "lucide-react";
import type { Models } from "./use-models.ts";

export function ModelPicker({
  models,
  model,
  onChoose,
}: {
  models: Models | undefined;
  model: string | undefined;
  onChoose: (id: string) => void;
}) {
  if (!models || models.models.length === 0) return null;
  return (
    <span className="relative flex min-w-0 items-center">
      <select
        aria-label="Model"
        value={model}
        onChange={(event) => onChoose(event.target.value)}
        className="h-7 min-w-0 max-w-52 appearance-none truncate rounded-md bg-transparent pr-6 pl-2 text-muted text-xs hover:bg-hover hover:text-ink max-md:h-9"
      >
        {models.models.map(({ id, label }) => (
          <option key={id} value={id} className="bg-surface text-ink">
            {label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute right-1.5 size-3 text-muted" aria-hidden />
    </span>
  );
}
