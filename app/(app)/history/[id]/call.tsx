import { CodeBlock } from "#app/_code/code-block.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { type CallCode, callCode } from "#lib/executions/call-code.ts";

const TITLES = { python: "Python", bash: "Shell", text: "File" };

/** What was asked for: code as code, everything else as it was given. */
export function Call({ tool, given }: { tool: string; given: Record<string, unknown> }) {
  const found = callCode(tool, given);
  const rest = found ? beside(found) : given;
  return (
    <div className="grid grid-cols-1 gap-2">
      {found && (
        <CodeBlock
          code={found.code}
          language={languageOf(found)}
          title={found.path ?? TITLES[found.language]}
        />
      )}
      {Object.keys(rest).length > 0 && (
        <CodeBlock code={JSON.stringify(rest, null, 2)} language="json" title="Arguments" />
      )}
    </div>
  );
}

/** The session is among the facts. */
function beside({ rest: { session: _, ...rest } }: CallCode): Record<string, unknown> {
  return rest;
}

function languageOf({ language, path = "" }: CallCode): string | undefined {
  return language === "text" ? languageOfFile(path) : language;
}
