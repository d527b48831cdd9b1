// What a console holds, and how much of it. Everything that is saved or imported goes through here.
import { z } from "zod";

const MOST_CELLS = 500;
// What the sandbox accepts as one piece of code.
export const LONGEST_CODE = 128 * 1024 - 1;
const MOST_CHARACTERS = 2 * 2 ** 20;

const CELL_KINDS = ["python", "bash", "text"] as const;

const cellId = z.string().regex(/^[\w-]{1,64}$/, "is not a cell's id");

export const cell = z.object({
  id: cellId,
  kind: z.enum(CELL_KINDS),
  code: z.string().max(LONGEST_CODE, "A cell holds up to 128 KB. Put longer code into a file."),
});

export const cells = z
  .array(cell)
  .max(MOST_CELLS, `A console holds up to ${MOST_CELLS} cells.`)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "Two cells have the same id.")
  .refine(
    (all) => all.reduce((sum, { code }) => sum + code.length, 0) <= MOST_CHARACTERS,
    "A console holds up to 2 MB of code.",
  );

export const consoleName = z
  .string()
  // Postgres keeps no NUL, and a name is a line.
  .transform((name) => name.replace(/[\p{Cc}\p{Cs}]/gu, " ").trim())
  .pipe(z.string().min(1, "A console needs a name.").max(100, "A name has up to 100 characters."));

export const session = z.string().regex(/^[\w-]{1,64}$/, "A session's name has letters, digits, - and _.");

export const content = z.object({ name: consoleName, session, cells });

export type Cell = z.infer<typeof cell>;
export type Content = z.infer<typeof content>;
