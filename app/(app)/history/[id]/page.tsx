import { ArrowLeft } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { Page } from "#app/_components/page.tsx";
import { When } from "#app/_components/time-ago.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { RichResults } from "#app/_results/rich-results.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import { Terminal } from "#app/_results/terminal.tsx";
import { AppError } from "#lib/app-error.ts";
import { type RunDetail, readRun } from "#lib/history/read-run.ts";
import { toolLabel } from "../tool-labels.ts";
import { Actions } from "./actions.tsx";
import { Denials, Made } from "./aftermath.tsx";
import { Call } from "./call.tsx";
import { Facts } from "./facts.tsx";
import { LiveOutput } from "./live-output.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { params: Promise<{ id: string }> }) {
  const user = await requirePageUser();
  const run = await find(user.id, (await params).id);
  const over = run.finishedAt !== null;
  return (
    <Page title="Run" actions={<Actions id={run.id} over={over} repeatable={run.repeatable} />}>
      <article className="grid max-w-5xl grid-cols-1 gap-5">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Link href="/history" className="flex items-center gap-1 text-muted text-sm hover:text-ink">
            <ArrowLeft className="size-4" aria-hidden /> History
          </Link>
          <h2 className="font-semibold">{toolLabel(run.tool)}</h2>
          <StatusBadge status={run.status} exitCode={run.exitCode} />
          <When at={run.createdAt.toISOString()} className="text-muted text-sm" />
        </header>
        <Facts run={run} />
        <Call tool={run.tool} values={run.arguments} />
        {over ? <Output run={run} /> : <LiveOutput id={run.id} />}
        <RichResults results={run.results} />
        <Made artifacts={run.artifacts} skipped={run.artifactsSkipped} />
        <Denials denials={run.deniedHosts} />
      </article>
    </Page>
  );
}

function Output({ run }: { run: RunDetail }) {
  if (run.outputMissing) return <p className="text-muted text-sm">{run.outputMissing}</p>;
  if (run.stdout === "" && run.stderr === "") {
    return run.results.length === 0 && <p className="text-muted text-sm">It printed nothing.</p>;
  }
  return (
    <Terminal
      stdout={run.stdout}
      stderr={run.stderr}
      truncated={run.truncated}
      className="overflow-hidden rounded-lg border"
    />
  );
}

async function find(userId: string, id: string): Promise<RunDetail> {
  if (!z.uuid().safeParse(id).success) notFound();
  try {
    return await readRun(userId, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
