"use client";

import { Download } from "lucide-react";
import { buttonClass } from "#app/_components/button.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { removeRuns } from "./actions.ts";

const FORMATS = [
  { format: "py", label: ".py" },
  { format: "sh", label: ".sh" },
  { format: "ipynb", label: ".ipynb" },
];

/** What can be done with the chosen runs. */
export function Selection({ ids }: { ids: string[] }) {
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {FORMATS.map(({ format, label }) => (
        <a
          key={format}
          href={`/api/history/export?format=${format}&ids=${ids.join(",")}`}
          download
          aria-label={`Export as ${label}`}
          className={buttonClass({ size: "small" })}
        >
          <Download className="size-3.5" aria-hidden /> {label}
        </a>
      ))}
      <Confirm
        trigger="Delete"
        triggerLabel="Delete selected runs"
        title={ids.length === 1 ? "Delete this run?" : `Delete ${ids.length} runs?`}
        about="Code, output and timings are gone for good. Files and artifacts stay."
        submit="Delete"
        action={removeRuns}
      >
        <input type="hidden" name="ids" value={ids.join(",")} />
      </Confirm>
    </div>
  );
}
