import { CodeBlock } from "#app/_code/code-block.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { inertText } from "#app/_results/terminal-text.ts";
import { callCode } from "#mcp/tools/catalogue.ts";
import type { CallCode } from "#mcp/tools/presentation.ts";

const TITLES = { python: "Python", bash: "Shell", text: "File" };

/** What was asked for: code as code, everything else as it was given. */
export function Call({ tool, given }: { tool: string; given: Record<string, unknown> }) {
  const found = callCode(tool, given);
  if (!found) return <Given given={given} />;
  // The session is among the facts.
  const { session: _, ...rest } = found.rest;
  return (
    <div className="grid grid-cols-1 gap-2">
      <CodeBlock
        code={found.code}
        language={languageOf(found)}
        title={found.path ?? TITLES[found.language]}
      />
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

function Given({ given }: { given: Record<string, unknown> }) {
  if (Object.keys(given).length === 0) return null;
  return <CodeBlock code={JSON.stringify(given, null, 2)} language="json" title="Arguments" />;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function languageOf({ language, path = "" }: CallCode): string | undefined {
  return language === "text" ? languageOfFile(path) : language;
}
