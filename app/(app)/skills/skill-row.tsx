import clsx from "clsx";
import { CircleAlert } from "lucide-react";
import Link from "next/link";
import type { ShelvedSkill } from "#lib/skills/skills.ts";
import { SkillSwitch } from "./skill-switch.tsx";

export function SkillRow({ skill }: { skill: ShelvedSkill }) {
  const { name, description, version, problem, on, overrides } = skill;
  return (
    <li className="flex items-start gap-4 px-4 py-3">
      <div className={clsx("grid min-w-0 flex-1 gap-0.5", !on && "text-muted")}>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <Link
            href={`/skills/${encodeURIComponent(name)}`}
            className="truncate font-medium font-mono text-[13px] hover:underline"
          >
            {name}
          </Link>
          {version && <span className="text-muted text-xs">{version}</span>}
          {overrides && <span className="text-muted text-xs">instead of the built-in one</span>}
        </p>
        {problem ? (
          <p className="flex items-start gap-1.5 text-danger text-sm">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {problem}
          </p>
        ) : (
          <p className="line-clamp-2 text-muted text-sm">{description}</p>
        )}
      </div>
      {!problem && <SkillSwitch name={name} on={on} />}
    </li>
  );
}
