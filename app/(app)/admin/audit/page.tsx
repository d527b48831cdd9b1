import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { Choice } from "#app/_filters/choice.tsx";
import { SearchField } from "#app/_filters/search-field.tsx";
import { one } from "#app/_filters/search-params.ts";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { ACTIONS, type Action, readAudit } from "#lib/audit.ts";
import { Table } from "../table.tsx";

export const metadata: Metadata = { title: "Audit log" };

const OPTIONS = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }));

export default async function AuditPage({ searchParams }: PageProps<"/admin/audit">) {
  await requirePageAdmin();
  const { q, action, before } = await searchParams;
  const filter = { text: one(q), action: one(action) };
  const { entries, next } = await readAudit({ ...filter, before: uuid(one(before)) });
  const query = new URLSearchParams(
    Object.entries({ q: filter.text, action: filter.action }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  );
  return (
    <Section
      title="Audit log"
      about="Who changed what about people, access and sandboxes. It can only be added to."
      actions={
        <a href={`/api/admin/audit?${query}`} download className={buttonClass({ size: "small" })}>
          <Download className="size-3.5" aria-hidden /> Export as CSV
        </a>
      }
    >
      <div className="flex flex-wrap gap-2">
        <SearchField label="Search by person or subject" className="w-64" />
        <Choice name="action" label="Action" any="Every action" options={OPTIONS} />
      </div>
      <Table label="Audit log" heads={["When", "Who", "Did", "To"]}>
        {entries.map(({ id, createdAt, actor, action, subject }) => (
          <tr key={id}>
            <td className="whitespace-nowrap text-muted">
              <Ago at={createdAt} />
            </td>
            <td className="max-w-56 truncate">{actor}</td>
            <td className="whitespace-nowrap">{ACTIONS[action as Action] ?? action}</td>
            <td className="max-w-72 truncate">{subject}</td>
          </tr>
        ))}
      </Table>
      {entries.length === 0 && <p className="text-muted text-sm">Nothing like that was done.</p>}
      {next && (
        <Link
          href={`/admin/audit?${new URLSearchParams([...query, ["before", next]])}`}
          className={buttonClass({ size: "small" }, "justify-self-end")}
        >
          Older
        </Link>
      )}
    </Section>
  );
}

function uuid(value: string | undefined): string | undefined {
  return value && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}
