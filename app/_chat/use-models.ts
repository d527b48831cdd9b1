"use client";

import { useEffect, useState } from "react";
import { ask } from "#app/_http/ask.ts";

export interface Models {
  models: { id: string; label: string }[];
  default: string | null;
  /** Why there are none. */
  reason?: string;
}

const CHOICE = "cove-model";

/** The models one can talk to, and the one that was chosen in this browser. Undefined until they are known. */
export function useModels() {
  const [models, setModels] = useState<Models>();
  const [chosen, setChosen] = useState<string>();

  useEffect(() => {
    setChosen(localStorage.getItem(CHOICE) ?? undefined);
    ask<Models>("/api/models").then(setModels, (error) =>
      setModels({ models: [], default: null, reason: error.message }),
    );
  }, []);

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
