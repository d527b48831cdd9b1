// A SKILL.md as data. Others' skills are read as far as they can be: what the standard doesn't allow becomes a violation,
// which the validator refuses and the loader only warns about.
import { readFrontMatter, SkillProblem } from "./front-matter.ts";
import { isSkillName, NAME_RULE } from "./skill-name.ts";

export interface SkillDocument {
  /** The folder's, whatever the file says: it is how the skill is found. */
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  version?: string;
  dependencies: string[];
  allowedTools: string[];
  metadata: Map<string, string>;
  body: string;
  violations: string[];
}

const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;
const STANDARD = new Set(["name", "description", "license", "compatibility", "metadata", "allowed-tools"]);

/** Throws a SkillProblem where there is nothing to offer. */
export function readSkillDocument(file: string, folder: string): SkillDocument {
  if (!folder) throw new SkillProblem(`It has no name yet. ${NAME_RULE}.`);
  if (!isSkillName(folder)) throw new SkillProblem(`“${plain(folder, 80)}” can't be its name. ${NAME_RULE}.`);
  const { fields, body, violations } = readFrontMatter(file);
  const text = (key: string, most: number) => textOf(fields, key, most, violations);

  const name = text("name", 200);
  if (!name) violations.push("The field name is missing.");
  else if (!isSkillName(name) || name !== fields.get("name"))
    violations.push(`The name “${plain(name, 80)}” is not allowed. ${NAME_RULE}.`);
  else if (name !== folder) violations.push(`The name “${name}” is not the folder's, “${folder}”.`);

  const description = text("description", LONGEST_DESCRIPTION);
  if (!description)
    throw new SkillProblem("The field description is missing: it says when the skill is of use.");

  for (const key of fields.keys()) {
    if (STANDARD.has(key)) continue;
    const known = key === "version" || key === "dependencies";
    violations.push(
      `The field “${plain(String(key), 80)}” is not in the standard${known ? "; it belongs in metadata" : ""}.`,
    );
  }
  const metadata = metadataOf(fields.get("metadata"), violations);
  const license = text("license", 500);
  const compatibility = text("compatibility", LONGEST_COMPATIBILITY);
  const version = text("version", 64) ?? metadata.get("version")?.slice(0, 64);
  return {
    name: folder,
    description,
    ...(license && { license }),
    ...(compatibility && { compatibility }),
    ...(version && { version }),
    dependencies: listOf(fields.get("dependencies") ?? metadata.get("dependencies"), /,/),
    allowedTools: toolsOf(fields.get("allowed-tools"), violations),
    metadata,
    body,
    violations: violations.slice(0, 20),
  };
}

function textOf(
  fields: Map<string, unknown>,
  key: string,
  most: number,
  violations: string[],
): string | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  if (typeof value !== "string") {
    violations.push(`The field ${key} has to be text.`);
    return undefined;
  }
  if ([...value.trim()].length > most) violations.push(`The field ${key} is longer than ${most} characters.`);
  return plain(value, most) || undefined;
}

function metadataOf(value: unknown, violations: string[]): Map<string, string> {
  const metadata = new Map<string, string>();
  if (value === undefined || value === "") return metadata;
  if (!(value instanceof Map)) {
    violations.push("The field metadata has to be a map.");
    return metadata;
  }
  for (const [key, entry] of value) {
    if (typeof entry === "string") metadata.set(plain(String(key), 80), plain(entry, 1024));
    else if (key === "dependencies" && Array.isArray(entry)) {
      metadata.set(key, listOf(entry, /,/).join(", "));
      violations.push("The metadata field dependencies has to be text, such as “pandas, requests”.");
    } else violations.push(`The metadata field “${plain(String(key), 80)}” has to be text.`);
  }
  return metadata;
}

/** The standard knows them as one text with spaces between them; a tool may have commas in its brackets. */
function toolsOf(value: unknown, violations: string[]): string[] {
  const isText = typeof value === "string" && !value.replaceAll(/\([^)]*\)/g, "").includes(",");
  if (value !== undefined && !isText)
    violations.push("The field allowed-tools has to be text with spaces between the tools.");
  return listOf(value, /[\s,]+/);
}

function listOf(value: unknown, separator: RegExp): string[] {
  const parts = typeof value === "string" ? value.split(separator) : Array.isArray(value) ? value : [];
  const names = parts.map((part) => (typeof part === "string" ? plain(part, 100) : ""));
  return names.filter(Boolean).slice(0, 50);
}

/** One line without control characters, which no field needs and no database likes. */
function plain(text: string, most: number): string {
  const flat = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  // Characters as people count them: some are two units of a string.
  const characters = flat.length > most ? [...flat] : [];
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : flat;
}
