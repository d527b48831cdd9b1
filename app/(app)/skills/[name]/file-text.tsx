import { Code } from "#app/_code/code.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";

export function FileText({ name, text }: { name: string; text: string | { problem: string } }) {
  if (typeof text !== "string") return <p className="text-muted text-sm">{text.problem}</p>;
  if (name.toLowerCase().endsWith(".md")) return <Markdown text={text} />;
  return <Code code={text} language={languageOfFile(name)} />;
}
