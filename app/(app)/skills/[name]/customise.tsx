"use client";

import { PencilRuler } from "lucide-react";
import { useActionState } from "react";
import { Button } from "#app/_components/button.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import { customiseOne } from "../actions.ts";

/** Copies a built-in skill into the workspace, where it can be changed. */
export function Customise({ name }: { name: string }) {
  const hydrated = useHydrated();
  const [state, action, pending] = useActionState(customiseOne, {});
  return (
    <form action={action} className="flex items-center gap-2">
      {state.problem && (
        <span role="alert" className="text-danger text-xs">
          {state.problem}
        </span>
      )}
      <input type="hidden" name="name" value={name} />
      <Button type="submit" size="small" disabled={pending || !hydrated} aria-busy={pending}>
        <PencilRuler className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Customise</span>
      </Button>
    </form>
  );
}
