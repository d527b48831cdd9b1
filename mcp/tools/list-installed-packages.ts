import { z } from "zod";
import { defineTool } from "./tool.ts";

export const listInstalledPackages = defineTool({
  name: "list_installed_packages",
  title: "List Python packages",
  description:
    "Lists the Python packages that can be imported, or says whether the given ones are there, by package or import name.",
  input: z.object({ packages: z.array(z.string().min(1).max(200)).max(200).optional() }),
  output: z.object({
    packages: z.array(z.object({ name: z.string(), installed: z.boolean(), version: z.string().optional() })),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "List installed packages", icon: "wrench", open: false },
  async run({ packages: asked }, { sandbox, signal }) {
    const options = signal ? { signal } : {};
    const packages = asked
      ? (await sandbox.packages.check(asked, options)).map(({ requested, installed, version }) => ({
          name: requested,
          installed,
          ...(version && { version }),
        }))
      : (await sandbox.packages.list(options)).map(({ name, version }) => ({
          name,
          installed: true,
          version,
        }));
    const lines = packages.map(
      ({ name, installed, version }) => `${name} ${installed ? version : "is not installed"}`,
    );
    return { structured: { packages }, text: lines.join("\n") };
  },
});
