"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "#app/_components/button.tsx";
import { stopRun } from "./actions.ts";

export function StopRun({ id, children }: { id: string; children: ReactNode }) {
  const [state, dispatch, pending] = useActionState(stopRun, {});
  return (
    <form action={dispatch} className="flex items-center gap-2">
      <input type="hidden" name="id" value={id} />
      {state.problem && (
        <span role="alert" className="text-danger text-xs">
          {state.problem}
        </span>
      )}
      <Button type="submit" size="small" disabled={pending} aria-busy={pending}>
        {children}
      </Button>
    </form>
  );
}
