"use client";

import { Download, RotateCw, Square } from "lucide-react";
import { useActionState } from "react";
import { Button, buttonClass } from "#app/_components/button.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { removeRun, repeatRun } from "../actions.ts";
import { StopRun } from "../stop-run.tsx";

/** What can be done with one run. */
export function Actions({ id, over, repeatable }: { id: string; over: boolean; repeatable: boolean }) {
  const [state, again, pending] = useActionState(repeatRun, {});
  return (
    <div className="flex items-center gap-2">
      {state.problem && (
        <span role="alert" className="text-danger text-xs">
          {state.problem}
        </span>
      )}
      {!over && (
        <StopRun id={id}>
          <Square className="size-3 fill-current" aria-hidden /> Stop
        </StopRun>
      )}
      {repeatable && (
        <form action={again}>
          <input type="hidden" name="id" value={id} />
          <Button type="submit" size="small" disabled={pending} aria-busy={pending}>
            <RotateCw className="size-3.5" aria-hidden /> Run again
          </Button>
        </form>
      )}
      {over && (
        <>
          <a
            href={`/api/history/export?format=ipynb&ids=${id}`}
            download
            aria-label="Export as .ipynb"
            className={buttonClass({ size: "small" }, "max-sm:hidden")}
          >
            <Download className="size-3.5" aria-hidden /> .ipynb
          </a>
          <Confirm
            trigger="Delete"
            title="Delete this run?"
            about="Code, output and timings are gone for good. Files and artifacts stay."
            submit="Delete"
            action={removeRun}
          >
            <input type="hidden" name="id" value={id} />
          </Confirm>
        </>
      )}
    </div>
  );
}
