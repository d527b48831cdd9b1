import { CodeBlock } from "#app/_code/code-block.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { inertText } from "#app/_results/terminal-text.ts";
import { callCode } from "#mcp/tools/catalogue.ts";
import type { CallCode } from "#mcp/tools/presentation.ts";

const TITLES = { python: "Python", bash: "Shell", text: "File" };

/** What was asked for: code as code, everything else as it was given. */
export function Call({ tool, values }: { tool: string; values: Record<string, unknown> }) {
  const call = callCode(tool, values);
  if (!call) return <Arguments values={values} />;
  // The session is among the facts.
  const { session: _, ...rest } = call.rest;
  return (
    <div className="grid grid-cols-1 gap-2">
      <CodeBlock code={call.code} language={languageOf(call)} title={call.path ?? TITLES[call.language]} />
      {Object.keys(rest).length > 0 && (
        <dl aria-label="Arguments" className="flex flex-wrap gap-x-4 gap-y-1 px-1 text-xs">
          {Object.entries(rest).map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1.5">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 break-all font-mono">{inertText(text(value))}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Arguments({ values }: { values: Record<string, unknown> }) {
  if (Object.keys(values).length === 0) return null;
  return <CodeBlock code={JSON.stringify(values, null, 2)} language="json" title="Arguments" />;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function languageOf({ language, path = "" }: CallCode): string | undefined {
  return language === "text" ? languageOfFile(path) : language;
}
