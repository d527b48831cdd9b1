// The YAML on top of a SKILL.md. It is anybody's text, so it is bounded, and read with a schema that knows nothing but
// strings, lists and maps: no tags, no aliases, no surprising types (`version: 1.10` stays "1.10").
import { parseDocument } from "yaml";

export interface FrontMatter {
  fields: Map<string, unknown>;
  body: string;
  /** What had to be mended to read it. */
  violations: string[];
}

/** It can't be used as a skill. The message is a sentence for its author. */
export class SkillProblem extends Error {
  override name = "SkillProblem";
}

export const MOST_FRONT_MATTER = 8 * 1024;
// A parser's work grows with the square of what is nested in one line, so a line holds only so much of it.
const MOST_NESTING = 40;

export function readFrontMatter(file: string): FrontMatter {
  const text = file
    .toWellFormed()
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
  const opening = /^---[ \t]*\n/.exec(text);
  if (!opening) throw new SkillProblem("It does not begin with front matter: a line `---`, then YAML.");
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(\n|$)/m.exec(rest.slice(0, MOST_FRONT_MATTER + 8));
  if (!closing) {
    const reason =
      rest.length > MOST_FRONT_MATTER
        ? "Its front matter is longer than 8 kB, or is not closed with a line `---`."
        : "Its front matter is not closed with a line `---`.";
    throw new SkillProblem(reason);
  }
  const yaml = rest.slice(0, closing.index);
  const brackets = yaml.match(/[[{]/g)?.length ?? 0;
  const nested = yaml.split("\n").some((line) => (line.match(/[-?:] /g)?.length ?? 0) > MOST_NESTING);
  if (nested || brackets > MOST_NESTING)
    throw new SkillProblem("Its front matter is not plain YAML: too much is nested.");
  return { ...fieldsOf(yaml), body: rest.slice(closing.index + closing[0].length) };
}

function fieldsOf(yaml: string): Pick<FrontMatter, "fields" | "violations"> {
  try {
    return { fields: parse(yaml), violations: [] };
  } catch (error) {
    // The commonest mistake of others' skills: a colon in a description that isn't quoted.
    const mended = yaml.replace(/^([\w-]+): +(?!["'|>[{&*!])(.*:.*)$/gm, (_line, key, value) => {
      return `${key}: ${JSON.stringify(value.trim())}`;
    });
    if (mended === yaml) throw error;
    const fields = parse(mended);
    return { fields, violations: ["A value with a colon in it has to be quoted."] };
  }
}

function parse(yaml: string): Map<string, unknown> {
  let value: unknown;
  try {
    const document = parseDocument(yaml, {
      schema: "failsafe",
      uniqueKeys: true,
      prettyErrors: true,
      logLevel: "silent",
    });
    const wrong = document.errors[0] ?? document.warnings[0];
    if (wrong) throw wrong;
    value = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  } catch (error) {
    // Nesting that is too deep for the parser's stack ends here, too.
    const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new SkillProblem(`Its front matter is not plain YAML: ${said?.replace(/:$/, "")}.`);
  }
  if (!(value instanceof Map)) throw new SkillProblem("Its front matter holds no fields.");
  return value;
}
