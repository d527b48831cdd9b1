import type { Metadata } from "next";
import { Confirm } from "#app/_components/confirm.tsx";
import { Field } from "#app/_components/field.tsx";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { Form } from "#app/_forms/form.tsx";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { inertText } from "#app/_results/terminal-text.ts";
import { readNetwork } from "#lib/admin/network.ts";
import { allow, disallow } from "../actions.ts";
import { Table } from "../table.tsx";

export const metadata: Metadata = { title: "Network" };

const MODES = {
  off: "Sandboxes reach nothing but what is listed here.",
  packages: "Sandboxes reach package registries, read-only, and what is listed here.",
  open: "Sandboxes reach every public address.",
};

export default async function NetworkPage() {
  await requirePageAdmin();
  const { mode, fixed, allowed, denied } = await readNetwork();
  return (
    <>
      <Section title="Allowed hosts" about={MODES[mode]}>
        <Form action={allow} submit="Allow" clears className="max-w-sm">
          <Field label="Host" name="host" placeholder="api.example.com" autoComplete="off" required />
        </Form>
        {fixed.length + allowed.length > 0 && (
          <ul className="divide-y rounded-lg border bg-surface">
            {fixed.map((host) => (
              <li key={host} className="flex items-center gap-3 px-4 py-2.5 text-sm">
                <code className="flex-1 truncate">{host}</code>
                <span className="text-muted text-xs">COVE_EGRESS_ALLOW</span>
              </li>
            ))}
            {allowed.map(({ host, addedBy, createdAt }) => (
              <li key={host} className="flex items-center gap-3 px-4 py-2.5 text-sm">
                <code className="min-w-0 flex-1 truncate">{host}</code>
                <span className="truncate text-muted text-xs">
                  {addedBy}, <Ago at={createdAt} />
                </span>
                <Confirm
                  trigger="Remove"
                  triggerLabel={`Remove ${host}`}
                  title={`Take ${host} off the list?`}
                  about="Connections from now on are refused; what is open stays."
                  submit="Remove"
                  action={disallow}
                >
                  <input type="hidden" name="host" value={host} />
                </Confirm>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Refused" about="What code wanted to reach in the last 30 days, and was not let to.">
        {denied.length === 0 ? (
          <p className="text-muted text-sm">Nothing was refused.</p>
        ) : (
          <Table label="Refused connections" heads={["Host", "Reason", "Times", "People", "Last", "Actions"]}>
            {denied.map(({ host, port, reason, count, people, lastAt, allowable }) => (
              <tr key={`${host} ${port} ${reason}`} className="whitespace-nowrap tabular-nums">
                <td className="max-w-72 truncate">
                  <code>{inertText(port ? `${host}:${port}` : host)}</code>
                </td>
                <td className="text-muted">{reason.replaceAll("_", " ")}</td>
                <td>{count.toLocaleString("en")}</td>
                <td>{people}</td>
                <td className="text-muted">
                  <Ago at={lastAt} />
                </td>
                <td>
                  {allowable && (
                    <Confirm
                      trigger="Allow this host"
                      triggerLabel={`Allow ${host}`}
                      title={`Let every sandbox reach ${host}?`}
                      about="Code can then send it whatever is in a workspace. Private addresses stay out of reach."
                      submit="Allow"
                      action={allow}
                    >
                      <input type="hidden" name="host" value={host} />
                    </Confirm>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
    </>
  );
}
