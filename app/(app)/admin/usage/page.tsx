import type { Metadata } from "next";
import { Section } from "#app/_components/page.tsx";
import { Choice } from "#app/_filters/choice.tsx";
import { one } from "#app/_filters/search-params.ts";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { durationText } from "#app/_results/duration.tsx";
import { readUsage } from "#lib/admin/usage.ts";
import { Table } from "../table.tsx";
import { UsageChart } from "./usage-chart.tsx";

export const metadata: Metadata = { title: "Usage" };

const PERIODS = { "7": 7, "90": 90 } as const;
const MONTH = 30;

export default async function UsagePage({ searchParams }: PageProps<"/admin/usage">) {
  await requirePageAdmin();
  const { days: period } = await searchParams;
  const days = PERIODS[one(period) as keyof typeof PERIODS] ?? MONTH;
  const usage = await readUsage(days);
  return (
    <Section
      title="Usage"
      about="By person and day, in UTC. Deleting runs from a history takes nothing away here."
      actions={
        <Choice
          name="days"
          label="Period"
          any="30 days"
          options={[
            { value: "7", label: "7 days" },
            { value: "90", label: "90 days" },
          ]}
        />
      }
    >
      <UsageChart days={usage.days} />
      <Table label="Usage by person" heads={["Person", "Runs", "Run time", "Processor time", "Model tokens"]}>
        {usage.people.map(({ userId, email, runs, ms, cpuMs, tokens }) => (
          <tr key={userId} className="whitespace-nowrap tabular-nums">
            <td className="max-w-72 truncate font-medium">{email}</td>
            <td>{runs.toLocaleString("en")}</td>
            <td>{durationText(ms)}</td>
            <td>{durationText(cpuMs)}</td>
            <td>{tokens.toLocaleString("en")}</td>
          </tr>
        ))}
      </Table>
      {usage.people.length === 0 && <p className="text-muted text-sm">Nobody has used anything yet.</p>}
    </Section>
  );
}
