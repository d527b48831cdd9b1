import type { Metadata } from "next";
import { Confirm } from "#app/_components/confirm.tsx";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { type AdminSandbox, listEverySandbox } from "#lib/admin/sandboxes.ts";
import { destroySandbox, stopSandbox } from "../actions.ts";
import { Table } from "../table.tsx";

export const metadata: Metadata = { title: "Sandboxes" };

export default async function SandboxesPage() {
  await requirePageAdmin();
  const all = await listEverySandbox();
  const awake = all.filter(({ state }) => state === "active").length;
  return (
    <Section
      title="Sandboxes"
      about={`${all.length} in all, ${awake} awake. Those without an owner wait for the next new user.`}
    >
      <Table
        label="Sandboxes"
        heads={["Owner", "State", "Runs", "Memory", "Disk", "Processes", "Last used", "Actions"]}
      >
        {all.map((sandbox) => (
          <Row key={sandbox.id} sandbox={sandbox} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ sandbox }: { sandbox: AdminSandbox }) {
  const { owner, state, outdated, inFlight, memoryBytes, diskBytes, processes, lastUsed } = sandbox;
  return (
    <tr className="whitespace-nowrap tabular-nums">
      <td className="max-w-64 truncate font-medium">{owner?.email ?? "nobody yet"}</td>
      <td>
        {state}
        {outdated && <span className="text-muted"> · older image</span>}
      </td>
      <td>{inFlight}</td>
      <td>{memoryBytes == null ? "–" : formatBytes(memoryBytes)}</td>
      <td>{diskBytes === undefined ? "–" : formatBytes(diskBytes)}</td>
      <td>{processes ?? "–"}</td>
      <td className="text-muted">
        <Ago at={lastUsed} />
      </td>
      <td>{owner && <Actions owner={owner} state={state} />}</td>
    </tr>
  );
}

function Actions({
  owner: { id, email },
  state,
}: {
  owner: { id: string; email: string };
  state: AdminSandbox["state"];
}) {
  return (
    <div className="flex gap-1.5">
      {state !== "stopped" && (
        <Confirm
          trigger="Stop"
          triggerLabel={`Stop the sandbox of ${email}`}
          title={`Stop the sandbox of ${email}?`}
          about="Everything that runs in it ends. Files stay; the next command starts it again."
          submit="Stop"
          action={stopSandbox}
        >
          <input type="hidden" name="id" value={id} />
        </Confirm>
      )}
      <Confirm
        trigger="Delete"
        triggerLabel={`Delete the sandbox of ${email}`}
        title={`Delete the sandbox of ${email}?`}
        about="With every file in their workspace, for good. Their history and artifacts stay."
        submit="Delete everything in it"
        action={destroySandbox}
      >
        <input type="hidden" name="id" value={id} />
      </Confirm>
    </div>
  );
}
