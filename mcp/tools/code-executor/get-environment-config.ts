import { z } from "zod";
import { defineTool } from "../tool.ts";

export const getEnvironmentConfig = defineTool({
  name: "get_environment_config",
  title: "Show the Python environments",
  description:
    "Lists the user's Python environments and says which one is in use. Until one was chosen there may be none.",
  input: z.object({}),
  output: z.object({
    environments: z.array(
      z.object({ name: z.string(), type: z.string(), path: z.string(), active: z.boolean() }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "List environments", icon: "wrench", open: false },
  async run(_input, { sandbox }) {
    const environments = await sandbox.packages.environments();
    return { structured: { environments }, text: JSON.stringify(environments, null, 2) };
  },
});
