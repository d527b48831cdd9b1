"use client";

import { Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { Dialog } from "#app/_components/dialog.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";

const MOST_BYTES = 10 * 2 ** 20;

/** A zip with SKILL.md in it, or in one folder on top. */
export function UploadSkill() {
  const router = useRouter();
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const send = async () => {
    const file = input.current?.files?.[0];
    if (!file) throw new Error("Choose a zip first.");
    if (file.size > MOST_BYTES) throw new Error("A skill is at most 10 MB.");
    const response = await fetch("/api/skill-zips", { method: "POST", body: file }).catch(() => {
      throw new Error("The server could not be reached. Check the connection and try again.");
    });
    const answer = await response.json().catch(() => undefined);
    if (!response.ok) throw new Error(answer?.error?.message ?? "The upload did not work. Try again.");
    router.push(`/skills/${answer.name}`);
    router.refresh();
  };

  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} disabled={!hydrated}>
        <Upload className="size-3.5" aria-hidden /> Upload
      </Button>
      {open && (
        <Dialog
          title="Upload a skill"
          about="A zip of one skill's folder, up to 10 MB: SKILL.md, and what it needs in scripts/, references/ and assets/."
          submit="Upload"
          disabled={!chosen}
          onSubmit={send}
          onClose={() => {
            setOpen(false);
            setChosen(false);
          }}
        >
          <input
            ref={input}
            type="file"
            accept=".zip,application/zip"
            aria-label="Zip file"
            onChange={(event) => setChosen(Boolean(event.target.files?.length))}
            className="text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-3 file:text-ink"
          />
        </Dialog>
      )}
    </>
  );
}
