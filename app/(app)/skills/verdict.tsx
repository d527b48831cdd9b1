"use client";

import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { useEffect, useState } from "react";
import type { SkillCheck } from "#lib/skills/check-skill.ts";
import { validate } from "./actions.ts";

const PAUSE_MS = 400;

/** What the validator says, a moment after the last key. */
export function Verdict({ name, text }: { name: string; text: string }) {
  const [check, setCheck] = useState<SkillCheck>();
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      validate(name, text).then(
        (answer) => wanted && setCheck(answer),
        () => wanted && setCheck(undefined),
      );
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [name, text]);
  if (!check) return null;
  return (
    <div role="status" className="grid gap-1.5 text-sm">
      {check.valid && (
        <p className="flex items-start gap-2 text-accent">
          <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden /> Valid by the Agent Skills standard.
        </p>
      )}
      {check.problems.map((problem) => (
        <p key={problem} className="flex items-start gap-2 text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {problem}
        </p>
      ))}
      {check.advice.map((advice) => (
        <p key={advice} className="flex items-start gap-2 text-muted">
          <Info className="mt-0.5 size-4 shrink-0" aria-hidden /> {advice}
        </p>
      ))}
    </div>
  );
}
