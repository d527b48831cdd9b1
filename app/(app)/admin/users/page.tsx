import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { SearchField } from "#app/_filters/search-field.tsx";
import { one } from "#app/_filters/search-params.ts";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { type Person, peoplePage } from "#lib/admin/people.ts";
import { Table } from "../table.tsx";
import { Invitations } from "./invitations.tsx";
import { PersonActions } from "./person-actions.tsx";

export const metadata: Metadata = { title: "People" };

export default async function PeoplePage({ searchParams }: PageProps<"/admin/users">) {
  const admin = await requirePageAdmin();
  const params = await searchParams;
  const text = one(params.q);
  const { people, next } = await peoplePage({ text, after: one(params.after) });
  return (
    <>
      <Section
        title="People"
        about="A disabled account is signed out at once, and its runs end."
        actions={<SearchField label="Search people" className="w-56" />}
      >
        <Table label="People" heads={["Name", "Standing", "Joined", "Last seen", "Actions"]}>
          {people.map((person) => (
            <tr key={person.id}>
              <td className="max-w-64">
                <p className="truncate font-medium">{person.name}</p>
                <p className="truncate text-muted text-xs">{person.email}</p>
              </td>
              <td className="whitespace-nowrap">
                <Standing person={person} />
              </td>
              <td className="whitespace-nowrap text-muted">
                <Ago at={person.createdAt} />
              </td>
              <td className="whitespace-nowrap text-muted">
                {person.lastSeenAt ? <Ago at={person.lastSeenAt} /> : "never"}
              </td>
              <td>
                <PersonActions person={person} self={person.id === admin.id} />
              </td>
            </tr>
          ))}
        </Table>
        {people.length === 0 && <p className="text-muted text-sm">Nobody is called that.</p>}
        {next && (
          <Link
            href={`/admin/users?${new URLSearchParams({ ...(text && { q: text }), after: next })}`}
            className={buttonClass({ size: "small" }, "justify-self-end")}
          >
            More people
          </Link>
        )}
      </Section>
      <Invitations />
    </>
  );
}

function Standing({ person }: { person: Person }) {
  if (person.disabledAt) return <span className="text-danger">disabled</span>;
  return person.admin ? <span className="text-accent">administrator</span> : "member";
}
