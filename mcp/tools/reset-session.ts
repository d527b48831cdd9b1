import { z } from "zod";
import { sessionName } from "./arguments.ts";
import { defineTool } from "./tool.ts";

export const resetSession = defineTool({
  name: "reset_session",
  title: "Reset a Python session",
  description:
    "Ends a Python session and forgets its variables; files stay. The next execute_python starts a fresh one.",
  input: z.object({ session: sessionName }),
  output: z.object({ session: z.string(), existed: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Reset Python session",
    label: "Reset session",
    icon: "wrench",
    open: false,
    subject: { arguments: ["session"] },
  },
  async run({ session }, { sandbox }) {
    const existed = await sandbox.resetSession(session);
    const text = existed ? `Session ${session} is reset.` : `There was no session ${session}.`;
    return { structured: { session, existed }, text };
  },
});
