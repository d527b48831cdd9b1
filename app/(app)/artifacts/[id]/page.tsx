import { ArrowLeft } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { Notice } from "#app/_components/notice.tsx";
import { Page } from "#app/_components/page.tsx";
import { When } from "#app/_components/time-ago.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { AppError } from "#lib/app-error.ts";
import { isTextual } from "#lib/artifacts/describe-type.ts";
import { type OpenedArtifact, openArtifact } from "#lib/artifacts/open-artifact.ts";
import { isLost } from "#lib/artifacts/open-contents.ts";
import { MOST_TEXT_BYTES, readArtifactText } from "#lib/artifacts/read-artifact-text.ts";
import { Actions } from "./actions.tsx";
import { Differences } from "./differences.tsx";
import { isStructured } from "./is-structured.ts";
import { ProvenancePanel } from "./provenance.tsx";
import { Versions } from "./versions.tsx";
import { View } from "./view.tsx";

export const metadata: Metadata = { title: "Artifact" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ArtifactPage({ params, searchParams }: Props) {
  const user = await requirePageUser();
  const artifact = await find(user.id, (await params).id);
  const { before } = await searchParams;
  const compared = artifact.versions.find(({ id }) => id === before && id !== artifact.id);
  const comparable = isTextual(artifact);
  // What is structured is fetched whole by the page, once the rest is there.
  const later = isStructured(artifact) && artifact.size > MOST_TEXT_BYTES && !compared;
  const content =
    comparable && !later && !artifact.lost ? await readArtifactText(user.id, artifact.id) : undefined;
  const old = content && compared ? await readOther(user.id, compared.id) : undefined;
  const lost = artifact.lost ?? (old && "lost" in old ? old.lost : undefined);
  return (
    <Page
      title="Artifact"
      actions={<Actions artifact={toShown(artifact)} versions={artifact.versions.length} />}
    >
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <article className="grid min-w-0 grid-cols-1 content-start gap-4">
          <header className="grid gap-1">
            <div className="flex min-w-0 items-center gap-3">
              <Link
                href="/artifacts"
                className="flex shrink-0 items-center gap-1 text-muted text-sm hover:text-ink"
              >
                <ArrowLeft className="size-4" aria-hidden /> Artifacts
              </Link>
              <h2 className="min-w-0 truncate font-semibold" title={artifact.path}>
                <bdi>{artifact.name}</bdi>
              </h2>
            </div>
            <p className="truncate text-muted text-xs">
              <bdi>{artifact.path}</bdi> · {artifact.mime} · {formatBytes(artifact.size)} ·{" "}
              <When at={artifact.createdAt.toISOString()} />
            </p>
          </header>
          {lost && <Notice kind="problem">{lost}</Notice>}
          {artifact.lost ? null : old && "text" in old && content && compared ? (
            <Differences
              before={{ label: `Version ${compared.version}`, ...old }}
              after={{ label: `Version ${artifact.version}`, ...content }}
              href={`/artifacts/${artifact.id}`}
            />
          ) : (
            <View artifact={toShown(artifact)} {...(content && { content })} />
          )}
        </article>
        <div className="grid content-start gap-6">
          <ProvenancePanel artifact={artifact} />
          <Versions artifact={artifact} comparable={comparable} comparedWith={compared?.id} />
        </div>
      </div>
    </Page>
  );
}

/** What the page in the browser needs, and nothing else. */
function toShown({ id, name, path, mime, kind, size, href }: OpenedArtifact) {
  return { id, name, path, mime, kind, size, href };
}

/** Of a version that is lost its sentence, and this one is shown alone. */
async function readOther(userId: string, id: string) {
  return readArtifactText(userId, id).catch((error) => {
    if (isLost(error)) return { lost: error.message };
    throw error;
  });
}

async function find(userId: string, id: string): Promise<OpenedArtifact> {
  if (!z.uuid().safeParse(id).success) notFound();
  try {
    return await openArtifact(userId, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
