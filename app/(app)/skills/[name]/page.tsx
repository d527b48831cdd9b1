import { ChevronLeft } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { Code } from "#app/_code/code.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { Notice } from "#app/_components/notice.tsx";
import { Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { AppError } from "#lib/app-error.ts";
import { viewSkillFile } from "#lib/skills/view-skill.ts";
import { About } from "./about.tsx";
import { Actions } from "./actions.tsx";
import { FileList } from "./file-list.tsx";
import { openSkill } from "./open-skill.ts";

export const metadata: Metadata = { title: "Skill" };

interface Props {
  params: Promise<{ name: string }>;
  searchParams: Promise<{ file?: string | string[] }>;
}

export default async function SkillPage({ params, searchParams }: Props) {
  const user = await requirePageUser();
  const view = await openSkill(user.id, (await params).name);
  if (!view) notFound();
  const { skill, text, body, files } = view;
  const file = [(await searchParams).file].flat()[0];
  return (
    <Page title={skill.name} actions={<Actions {...view} />}>
      <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-6">
        <Link href="/skills" className="flex items-center gap-1 text-muted text-sm hover:text-ink">
          <ChevronLeft className="size-4" aria-hidden /> All skills
        </Link>
        {skill.problem && <Notice kind="problem">It is not offered. {skill.problem}</Notice>}
        <About {...view} />
        <FileList name={skill.name} main={skill.file} files={files} shown={file} />
        <article className="min-w-0 rounded-lg border bg-surface px-5 py-4">
          <h2 className="sr-only">{file ?? skill.file}</h2>
          {file ? (
            <FileText name={file} text={await textOf(user.id, skill.name, file)} />
          ) : body.trim() ? (
            <Markdown text={body} />
          ) : skill.problem && text ? (
            <Code code={text} language="markdown" />
          ) : (
            <p className="text-muted text-sm">There are no instructions in it.</p>
          )}
        </article>
      </div>
    </Page>
  );
}

async function textOf(userId: string, name: string, file: string): Promise<string | { problem: string }> {
  try {
    return await viewSkillFile(userId, name, file);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { problem: error.message };
    throw error;
  }
}

function FileText({ name, text }: { name: string; text: string | { problem: string } }) {
  if (typeof text !== "string") return <p className="text-muted text-sm">{text.problem}</p>;
  if (name.toLowerCase().endsWith(".md")) return <Markdown text={text} />;
  return <Code code={text} language={languageOfFile(name)} />;
}
