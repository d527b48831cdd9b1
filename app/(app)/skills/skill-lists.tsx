"use client";

import clsx from "clsx";
import { CircleAlert, Search } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Section } from "#app/_components/page.tsx";
import type { ShelvedSkill } from "#lib/skills/skills.ts";
import { SkillSwitch } from "./skill-switch.tsx";

// A search field over a handful of skills would only be in the way.
const MANY = 10;
const MOST_SHOWN = 200;

export function SkillLists({ skills }: { skills: ShelvedSkill[] }) {
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = skills.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return (
    <>
      {skills.length > MANY && (
        <label className="relative block max-w-sm">
          <span className="sr-only">Search skills</span>
          <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
          <input
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder="Search skills"
            className="h-9 w-full rounded-md border border-line-strong bg-surface pr-2.5 pl-8 text-sm"
          />
        </label>
      )}
      {matches.length === 0 && <p className="text-muted text-sm">No skill fits these words.</p>}
      <List
        title="Yours"
        about="In your workspace, under .agents/skills. They stand before built-in ones of the same name."
        skills={matches.filter(({ source }) => source === "own")}
      />
      <List
        title="Built in"
        about="For everybody, read-only in every sandbox under /skills."
        skills={matches.filter(({ source }) => source === "built-in")}
      />
    </>
  );
}

function List({ title, about, skills }: { title: string; about: string; skills: ShelvedSkill[] }) {
  if (skills.length === 0) return null;
  return (
    <Section title={title} about={about}>
      <ul className="divide-y rounded-lg border bg-surface" aria-label={`${title} skills`}>
        {skills.slice(0, MOST_SHOWN).map((skill) => (
          <SkillRow key={skill.name} skill={skill} />
        ))}
      </ul>
      {skills.length > MOST_SHOWN && (
        <p className="text-muted text-sm">
          {skills.length - MOST_SHOWN} more: search for them by name or description.
        </p>
      )}
    </Section>
  );
}

function SkillRow({ skill }: { skill: ShelvedSkill }) {
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
