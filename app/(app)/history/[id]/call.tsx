import { CodeBlock } from "#app/_code/code-block.tsx";

/** What was asked for: code as code, everything else as it was given. */
export function Call({ tool, given }: { tool: string; given: Record<string, unknown> }) {
  const { code, language, title, rest } = partsOf(tool, given);
  return (
    <div className="grid grid-cols-1 gap-2">
      {code !== undefined && <CodeBlock code={code} language={language} title={title} />}
      {Object.keys(rest).length > 0 && (
        <CodeBlock code={JSON.stringify(rest, null, 2)} language="json" title="Arguments" />
      )}
    </div>
  );
}

interface Parts {
  code?: string;
  language?: string;
  title?: string;
  rest: Record<string, unknown>;
}

function partsOf(tool: string, given: Record<string, unknown>): Parts {
  const { code, command, content, ...others } = given;
  if (tool === "execute_python" && typeof code === "string") {
    const { session: _, ...rest } = others;
    return { code, language: "python", title: "Python", rest };
  }
  if (tool === "execute_bash" && typeof command === "string") {
    return { code: command, language: "bash", title: "Shell", rest: others };
  }
  if (tool === "write_file" && typeof content === "string") {
    const { file_path, ...rest } = others;
    return { code: content, title: typeof file_path === "string" ? file_path : "File", rest };
  }
  return { rest: given };
}
