"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useEffect, useState } from "react";
import { ask } from "#app/_http/ask.ts";

export interface Models {
  models: { id: string; label: string }[];
  default: string | null;
  /** Why there are none. */
  reason?: string;
}

// Where this browser remembers what was chosen.
const CHOICE = "cove-model";

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

/** The models one can talk to, and the one that was chosen in this browser. Undefined until they are known. */
export function useModels() {
  const [chosen, setChosen] = useState<string>();
  useEffect(() => setChosen(localStorage.getItem(CHOICE) ?? undefined), []);
  const { data: models } = useQuery<Models>({
    queryKey: ["models"],
    queryFn: ({ signal }) =>
      ask<Models>("/api/models", { signal }).catch(({ message }) => ({
        models: [],
        default: null,
        reason: message,
      })),
  });

  const reachable = models?.models.some(({ id }) => id === chosen);
  return {
    models,
    model: reachable || !models ? chosen : (models.default ?? undefined),
    choose: (id: string) => {
      localStorage.setItem(CHOICE, id);
      setChosen(id);
    },
  };
}
