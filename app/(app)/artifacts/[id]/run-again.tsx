"use client";

import { RotateCw } from "lucide-react";
import { useActionState } from "react";
import { Button } from "#app/_components/button.tsx";
import { repeatRun } from "../../history/actions.ts";

/** The same tool with the same arguments, as a run of its own. */
export function RunAgain({ id }: { id: string }) {
  const [state, again, pending] = useActionState(repeatRun, {});
  return (
    <form action={again} className="contents">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" disabled={pending} aria-busy={pending}>
        <RotateCw className="size-3.5" aria-hidden /> Run again
      </Button>
      {state.problem && (
        <span role="alert" className="w-full text-danger text-xs">
          {state.problem}
        </span>
      )}
    </form>
  );
}
