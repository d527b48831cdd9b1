import { z } from "zod";
import type { FileEntry, Sandbox } from "#sandbox/index.ts";
import { defineTool } from "./tool.ts";

// A tree of any size is listed as far as this and says that there is more.
const MOST_ENTRIES = 2000;

const entry = z.object({
  path: z.string(),
  type: z.enum(["file", "directory", "symlink", "other"]),
  size: z.number(),
  modified: z.string(),
});
type Entry = z.infer<typeof entry>;

export const listFiles = defineTool({
  name: "list_files",
  title: "List files",
  description:
    "Lists a directory of the sandbox, and with depth its subdirectories. Long listings are cut and say so.",
  input: z.object({
    path: z.string().default("/workspace").describe("Relative paths are under /workspace."),
    depth: z.number().int().min(1).max(10).default(1),
  }),
  output: z.object({ path: z.string(), entries: z.array(entry), truncated: z.boolean() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: {
    title: "List files",
    icon: "wrench",
    open: false,
    subject: { arguments: ["path"], otherwise: "/workspace" },
  },
  async run({ path, depth }, { sandbox }) {
    const entries: Entry[] = [];
    const truncated = await collect(sandbox, path, "", depth, entries);
    const lines = entries.map(({ path, type, size }) =>
      type === "directory" ? `${path}/` : `${path}  ${size}`,
    );
    if (truncated) lines.push(`… and more: only the first ${MOST_ENTRIES} are listed.`);
    return { structured: { path, entries, truncated }, text: lines.join("\n") || "Empty." };
  },
});

/** Depth first, so that an entry stands below its directory. True when there was no room for all. */
async function collect(
  sandbox: Sandbox,
  root: string,
  below: string,
  depth: number,
  into: Entry[],
): Promise<boolean> {
  let after: string | undefined;
  do {
    const page = await sandbox.files.list(
      below ? `${root}/${below}` : root,
      after === undefined ? {} : { after },
    );
    for (const file of page.entries) {
      if (into.length >= MOST_ENTRIES) return true;
      const path = below ? `${below}/${file.name}` : file.name;
      into.push(toEntry(path, file));
      const descend = file.type === "directory" && depth > 1;
      if (descend && (await collect(sandbox, root, path, depth - 1, into))) return true;
    }
    after = page.next;
  } while (after !== undefined);
  return false;
}

function toEntry(path: string, { type, size, modifiedMs }: FileEntry): Entry {
  return { path: path.toWellFormed(), type, size, modified: new Date(modifiedMs).toISOString() };
}
