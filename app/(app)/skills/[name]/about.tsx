import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { SkillView } from "#lib/skills/view-skill.ts";
import { SkillSwitch } from "../skill-switch.tsx";

/** The front matter, for people. */
export function About({ skill, example }: Pick<SkillView, "skill" | "example">) {
  const { name, description, version, license, dependencies, compatibility, allowedTools, warnings } = skill;
  return (
    <section aria-label="About this skill" className="grid grid-cols-1 gap-3">
      <div className="flex items-start justify-between gap-4">
        <p className="text-[15px] leading-relaxed">{description}</p>
        {!skill.problem && (
          <div className="flex shrink-0 items-center gap-2">
            <SkillSwitch name={name} on={skill.on} saysSo />
          </div>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <Fact name="From">
          {skill.source === "built-in"
            ? "built in"
            : skill.overrides
              ? "you, instead of the built-in one"
              : "you"}
        </Fact>
        {version && <Fact name="Version">{version}</Fact>}
        {dependencies.length > 0 && <Fact name="Needs">{dependencies.join(", ")}</Fact>}
        {compatibility && <Fact name="Compatibility">{compatibility}</Fact>}
        {allowedTools.length > 0 && <Fact name="Tools">{allowedTools.join(", ")}</Fact>}
        {license && <Fact name="License">{license}</Fact>}
        {example && <Fact name="Example">{example}</Fact>}
        <Fact name="In the sandbox">
          <code className="break-all font-mono text-[13px]">{skill.folder}</code>
        </Fact>
      </dl>
      {warnings.length > 0 && (
        <ul className="grid gap-1 rounded-md border border-dashed px-3 py-2 text-muted text-sm">
          {warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-2">
              <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {warning}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
