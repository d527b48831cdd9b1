// Messages that are programs. Server and page ask this one function: what a page shows as code is what will be run.
export interface Program {
  language: "bash" | "python";
  code: string;
}

const LANGUAGES = new Map<string, Program["language"]>([
  ...["bash", "sh", "shell", "console"].map((name) => [name, "bash"] as const),
  ...["", "python", "py", "python3"].map((name) => [name, "python"] as const),
]);

/** `!command`, `>>> code`, or one fenced block and nothing else. */
export function programIn(text: string): Program | undefined {
  const message = text.trim();
  if (message.startsWith("!")) return program("bash", message.slice(1).trim());
  if (message.startsWith(">>>")) return program("python", withoutPrompts(message));
  const [, fence, name = "", code = ""] = /^(```|~~~)([\w+-]*)[ \t]*\n([\s\S]*?)\n?\1$/.exec(message) ?? [];
  const isOneBlock = fence !== undefined && !code.includes(`\n${fence}`);
  return isOneBlock ? program(LANGUAGES.get(name.toLowerCase()), code) : undefined;
}

function program(language: Program["language"] | undefined, code: string): Program | undefined {
  return language && code.trim() ? { language, code } : undefined;
}

/** As pasted from an interpreter, or with a prompt only before the first line. */
function withoutPrompts(text: string): string {
  const lines = text.split("\n");
  const pasted = lines.filter((line) => line.startsWith(">>>")).length > 1;
  if (!pasted)
    return [lines[0]?.replace(/^>>> ?/, ""), ...lines.slice(1).map((l) => l.replace(/^\.\.\. ?/, ""))].join(
      "\n",
    );
  return lines
    .filter((line) => /^(>>>|\.\.\.)/.test(line))
    .map((line) => line.replace(/^(>>>|\.\.\.) ?/, ""))
    .join("\n");
}
