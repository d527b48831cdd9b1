"use client";

import { Download, Pencil, PencilRuler, Play } from "lucide-react";
import Link from "next/link";
import { useActionState } from "react";
import { Button, buttonClass } from "#app/_components/button.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import type { SkillView } from "#lib/skills/view-skill.ts";
import { customiseOne, deleteOne } from "../actions.ts";

export function Actions({ skill, example }: SkillView) {
  const { name, source, problem, on } = skill;
  const address = encodeURIComponent(name);
  // Written, but never sent by a link: what a chat does it does in one's name.
  const draft = example ?? `Use the skill ${name} to `;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 py-2">
      <a
        href={`/api/skill-zips/${address}`}
        download
        className={buttonClass({ size: "small" })}
        aria-label={`Download ${name}`}
      >
        <Download className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Download</span>
      </a>
      {source === "own" ? (
        <>
          <Confirm
            trigger="Delete"
            triggerLabel={`Delete ${name}`}
            title={`Delete “${name}”?`}
            about={`Its folder is removed from your workspace, with all files in it.${whatRemains(skill)}`}
            submit="Delete"
            action={deleteOne}
          >
            <input type="hidden" name="name" value={name} />
          </Confirm>
          <Link href={`/skills/${address}/edit`} className={buttonClass({ size: "small" })}>
            <Pencil className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Edit</span>
          </Link>
        </>
      ) : (
        <Customise name={name} />
      )}
      {on && !problem && (
        <Link
          href={`/chat?draft=${encodeURIComponent(draft)}`}
          className={buttonClass({ look: "primary", size: "small" })}
        >
          <Play className="size-3.5" aria-hidden /> Try
        </Link>
      )}
    </div>
  );
}

function whatRemains({ overrides, on }: SkillView["skill"]): string {
  if (!overrides) return "";
  return on
    ? " The built-in skill of this name is offered again."
    : " The built-in skill of this name is back then, switched off as this one is.";
}

/** Copies a built-in skill into the workspace, where it can be changed. */
function Customise({ name }: { name: string }) {
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
