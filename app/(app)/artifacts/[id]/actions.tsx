"use client";

import { Download, RotateCw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useActionState, useState } from "react";
import { Button, buttonClass } from "#app/_components/button.tsx";
import { Dialog } from "#app/_components/dialog.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import { ask } from "#app/_http/ask.ts";
import { repeatRun } from "../../history/actions.ts";
import { Share } from "./share.tsx";

export function Actions({
  artifact: { id, name, href },
  versions,
}: {
  artifact: { id: string; name: string; href: string };
  versions: number;
}) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const hydrated = useHydrated();
  return (
    <div className="flex items-center gap-2">
      <Button size="small" onClick={() => setAsking(true)} disabled={!hydrated} aria-label="Delete…">
        <Trash2 className="size-3.5" aria-hidden /> <span className="max-md:hidden">Delete…</span>
      </Button>
      <Share id={id} />
      <a
        href={`${href}?download`}
        download
        aria-label="Download"
        className={buttonClass({ look: "primary", size: "small" })}
      >
        <Download className="size-3.5" aria-hidden /> <span className="max-md:hidden">Download</span>
      </a>
      {asking && (
        <Dialog
          title={`Delete ${name.length > 60 ? `${name.slice(0, 60)}…` : name}?`}
          about={`${versions > 1 ? "All its versions go, and links" : "Links"} to it stop working. The file in the workspace stays.`}
          submit="Delete"
          danger
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            await ask("/api/artifacts", { method: "DELETE", body: { ids: [id] } });
            router.push("/artifacts");
          }}
        />
      )}
    </div>
  );
}

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
