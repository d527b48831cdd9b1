import { z } from "zod";
import type { PackageOutcome } from "#sandbox/index.ts";
import {
  describeDenials,
  describeExecution,
  type ExecutionView,
  executionView,
  viewOf,
} from "./execution-view.ts";
import { defineTool } from "./tool.ts";

const outcome = z.object({
  requested: z.string(),
  name: z.string(),
  outcome: z.enum(["installed", "present", "failed"]),
  version: z.string().optional(),
  reason: z.string().optional(),
});

export const installDependencies = defineTool({
  name: "install_dependencies",
  title: "Install Python packages",
  description: `Installs Python packages into the user's own environment, where they stay. They can be used at once, in running
sessions too. Takes requirement specifiers (pandas, "httpx[http2]>=0.27") and wheels under /workspace; no options, no URLs.
Use the name of the package, not of the import: opencv-python, not cv2.`,
  input: z.object({
    packages: z.array(z.string().min(1).max(500)).min(1).max(100),
    timeout: z.number().positive().max(86_400).default(60).describe("Seconds."),
  }),
  output: executionView.extend({ packages: z.array(outcome) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  recorded: true,
  needsPlace: true,
  presentation: {
    title: "Install",
    label: "Install packages",
    icon: "package",
    open: true,
    summary: { kind: "command", command: "pip install", list: "packages" },
  },
  steps: ({ packages }) => [{ kind: "packages", packages }],
  async run({ packages, timeout }, { sandbox, run }) {
    const execution = await sandbox.packages.install(packages, { ...run, timeoutMs: timeout * 1000 });
    const structured = { ...viewOf(execution), packages: execution.packages };
    return { structured, text: describeOutcomes(structured), execution };
  },
});

/** Cut short or still at work, there are no outcomes yet, and it is told like any other run. */
function describeOutcomes({ packages, ...view }: ExecutionView & { packages: PackageOutcome[] }): string {
  if (packages.length === 0) return describeExecution(view);
  return [packages.map(inWords).join("\n"), describeDenials(view)].filter(Boolean).join("\n\n");
}

function inWords({ requested, outcome, name, version, reason }: PackageOutcome): string {
  if (outcome === "failed") return `${requested}: failed. ${reason ?? ""}`.trim();
  return `${requested}: ${outcome === "present" ? "was there already" : "installed"} (${name} ${version ?? ""})`;
}
