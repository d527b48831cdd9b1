// What a tool call looks like to a person: a short title, and what it runs as code instead of JSON.
import { languageOfFile } from "#app/_code/languages.ts";
import {
  codeAt,
  type IconName,
  type Presentation,
  type Subject,
  type Summary,
} from "#mcp/tools/presentation.ts";

export interface ToolView {
  title: string;
  icon: IconName;
  /** The thing it is about, such as a path. */
  subject?: string;
  code?: string;
  language?: string;
  /** Open by default. */
  major: boolean;
}

/** What each tool says about itself, by its name. */
export type Presentations = Readonly<Record<string, Presentation>>;

type Input = Record<string, unknown>;

export function toolView(presentations: Presentations, name: string, input: unknown): ToolView {
  const given = typeof input === "object" && input !== null ? (input as Input) : {};
  const known = Object.hasOwn(presentations, name) ? presentations[name] : undefined;
  if (!known) {
    return {
      title: name,
      icon: "wrench",
      code: JSON.stringify(given, null, 2),
      language: "json",
      major: false,
    };
  }
  return {
    title: titleOf(known, given),
    icon: known.icon,
    major: known.open,
    subject: known.subject && subjectOf(known.subject, given),
    ...codeOf(known, given),
  };
}

function titleOf({ title, titleIf = {} }: Presentation, given: Input): string {
  return Object.entries(titleIf).find(([name]) => given[name])?.[1] ?? title;
}

function subjectOf({ between = " ", before = "", ...subject }: Subject, given: Input): string | undefined {
  const values = subject.arguments.map((name) => string(given[name])).filter(Boolean);
  const text = values.join(between) || subject.otherwise;
  return text && text !== subject.unless ? `${before}${text}` : undefined;
}

function codeOf({ code, summary }: Presentation, given: Input): Pick<ToolView, "code" | "language"> {
  const found = codeAt(code, given);
  if (found) {
    const { language, path = "" } = found;
    return { code: found.code, language: language === "text" ? languageOfFile(path) : language };
  }
  return summary ? summaryOf(summary, given) : {};
}

function summaryOf(summary: Summary, given: Input): { code: string; language: string } {
  switch (summary.kind) {
    case "diff":
      return {
        code: [...marked("-", given[summary.from]), ...marked("+", given[summary.to])].join("\n"),
        language: "diff",
      };
    case "command":
      return { code: [summary.command, list(given[summary.list]).join(" ")].join(" "), language: "bash" };
  }
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(string) : [];
}

function marked(mark: string, text: unknown): string[] {
  return string(text) === ""
    ? []
    : string(text)
        .split("\n")
        .map((line) => `${mark} ${line}`);
}
