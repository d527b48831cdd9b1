import { z } from "zod";
import { programText, timeoutSeconds } from "./arguments.ts";
import { describeExecution, executionView, viewOf } from "./execution-view.ts";
import { defineTool } from "./tool.ts";

export const executeBash = defineTool({
  name: "execute_bash",
  title: "Run a shell command",
  description: `Runs a bash command in the user's private Linux sandbox and returns its output and exit code.

Each call is a fresh shell: variables and cd don't carry over, files do. The working directory is /workspace, which is kept
between calls; put results in /workspace/outputs. Python 3.13, Node, git, curl, jq, ripgrep and a C compiler are installed.
There is no sudo, and the network is limited to what the operator allows.

A non-zero exit code is a normal result: read stderr and try again with a change. A command that takes longer than the timeout
is ended with everything it started. For servers and long jobs use background=true, then check_execution.`,
  input: z.object({
    command: programText.describe("What to run, as bash reads it."),
    timeout: timeoutSeconds,
    cwd: z.string().optional().describe("Working directory; relative paths are under /workspace."),
    background: z.boolean().default(false).describe("Return at once and let it run on."),
  }),
  output: executionView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  needsPlace: true,
  presentation: {
    title: "Bash",
    label: "Shell",
    icon: "terminal",
    open: true,
    subject: { arguments: ["cwd"] },
    code: { argument: "command", language: "bash" },
  },
  steps: ({ command, cwd }) => [{ kind: "bash", command, ...(cwd !== undefined && { cwd }) }],
  async run({ command, timeout, cwd, background }, { sandbox, run, limits }) {
    const execution = await sandbox.run(command, {
      ...run,
      timeoutMs: (timeout ?? limits.timeoutSeconds) * 1000,
      background,
      ...(cwd !== undefined && { cwd }),
    });
    const view = viewOf(execution);
    return { structured: view, text: describeExecution(view), execution };
  },
});
