import { GalleryVerticalEnd, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { Choice } from "#app/_filters/choice.tsx";
import { SearchField } from "#app/_filters/search-field.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { artifactConversations, listArtifacts } from "#lib/artifacts/list-artifacts.ts";
import { DOORS } from "../history/labels.ts";
import { Gallery } from "./gallery.tsx";
import { readFilter } from "./read-filter.ts";

export const metadata: Metadata = { title: "Artifacts" };

// What kinds and orders are called on the page.
const KIND_NAMES: Record<string, string> = {
  image: "Images",
  table: "Tables",
  text: "Text",
  code: "Code and data",
  document: "Documents",
  notebook: "Notebooks",
  html: "Web pages",
  audio: "Audio",
  video: "Video",
  archive: "Archives",
  other: "Other",
};

/** The newest come first unless chosen otherwise. */
const ORDERS: Record<string, string> = {
  oldest: "Oldest first",
  name: "By name",
  largest: "Largest first",
};

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ArtifactsPage({ searchParams }: Props) {
  const user = await requirePageUser();
  const filter = readFilter(await searchParams);
  const { conversation, q, sort, ...rest } = filter;
  const [page, conversations] = await Promise.all([
    listArtifacts(user.id, { ...rest, conversationId: conversation, query: q, ...(sort && { sort }) }),
    artifactConversations(user.id),
  ]);
  const narrowed = Boolean(q || conversation || rest.kind || rest.door);
  const chats = conversations.map(({ id, title }) => ({ value: id, label: title || "Untitled chat" }));
  return (
    <Page title="Artifacts">
      {(narrowed || page.items.length > 0) && (
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <SearchField label="Search by name" className="w-full sm:w-64" />
          <Choice name="kind" label="Type" any="Any type" options={toOptions(KIND_NAMES)} />
          <Choice name="door" label="Door" any="Any door" options={toOptions(DOORS)} />
          {chats.length > 0 && (
            <Choice name="conversation" label="Conversation" any="Any conversation" options={chats} />
          )}
          <Choice name="sort" label="Order" any="Newest first" options={toOptions(ORDERS)} />
        </div>
      )}
      {page.items.length > 0 ? (
        <Gallery key={JSON.stringify(filter)} first={page} filter={filter} />
      ) : (
        <Nothing narrowed={narrowed} />
      )}
    </Page>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing like that"
        action={
          <Link href="/artifacts" className={buttonClass()}>
            Show everything
          </Link>
        }
      >
        No artifact matches these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={GalleryVerticalEnd}
      title="Nothing made yet"
      action={
        <Link href="/console" className={buttonClass()}>
          Open the console
        </Link>
      }
    >
      Plots, tables, documents: every file your code makes is kept here, with the code that made it, ready to
      view and download.
    </EmptyState>
  );
}

function toOptions(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
