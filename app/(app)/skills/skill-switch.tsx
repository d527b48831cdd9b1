"use client";

import { Switch } from "radix-ui";
import { useOptimistic, useState, useTransition } from "react";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import { switchOne } from "./actions.ts";

/** On: agents are offered it. Off: it is in no prompt, tool, resource or route. */
export function SkillSwitch({ name, on, saysSo }: { name: string; on: boolean; saysSo?: boolean }) {
  const hydrated = useHydrated();
  const [shown, show] = useOptimistic(on);
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string>();

  const turn = (to: boolean) =>
    start(async () => {
      show(to);
      const data = new FormData();
      data.set("name", name);
      data.set("on", to ? "yes" : "no");
      const state = await switchOne({}, data).catch(() => ({ problem: "The server could not be reached." }));
      setProblem(state.problem);
    });

  return (
    <>
      {problem && (
        <span role="alert" className="text-danger text-xs">
          {problem}
        </span>
      )}
      {saysSo && <span className="text-muted text-sm">{shown ? "Offered" : "Off"}</span>}
      <Switch.Root
        checked={shown}
        onCheckedChange={turn}
        disabled={!hydrated}
        aria-busy={pending}
        aria-label={`Offer ${name}`}
        className="relative h-5 w-9 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4 translate-x-0.5 rounded-full bg-surface shadow-sm transition-transform data-[state=checked]:translate-x-[18px]" />
      </Switch.Root>
    </>
  );
}
