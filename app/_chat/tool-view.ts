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
  const values = typeof input === "object" && input !== null ? (input as Input) : {};
  const known = Object.hasOwn(presentations, name) ? presentations[name] : undefined;
  if (!known) {
    return {
      title: name,
      icon: "wrench",
      code: JSON.stringify(values, null, 2),
      language: "json",
      major: false,
    };
  }
  return {
    title: titleOf(known, values),
    icon: known.icon,
    major: known.open,
    subject: known.subject && subjectOf(known.subject, values),
    ...codeOf(known, values),
  };
}

function titleOf({ title, titleIf = {} }: Presentation, input: Input): string {
  return Object.entries(titleIf).find(([name]) => input[name])?.[1] ?? title;
}

function subjectOf({ between = " ", before = "", ...subject }: Subject, input: Input): string | undefined {
  const words = subject.arguments.map((name) => string(input[name])).filter(Boolean);
  const text = words.join(between) || subject.otherwise;
  return text && text !== subject.unless ? `${before}${text}` : undefined;
}

function codeOf({ code, summary }: Presentation, input: Input): Pick<ToolView, "code" | "language"> {
  const shown = codeAt(code, input);
  if (shown) {
    const { language, path = "" } = shown;
    return { code: shown.code, language: language === "text" ? languageOfFile(path) : language };
  }
  return summary ? summaryOf(summary, input) : {};
}

function summaryOf(summary: Summary, input: Input): { code: string; language: string } {
  switch (summary.kind) {
    case "diff":
      return {
        code: [...marked("-", input[summary.from]), ...marked("+", input[summary.to])].join("\n"),
        language: "diff",
      };
    case "command":
      return { code: [summary.command, list(input[summary.list]).join(" ")].join(" "), language: "bash" };
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
