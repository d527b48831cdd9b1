// A call from the history as the exports see it: what was asked for, in the few shapes that mean something outside.
import { z } from "zod";
import { readJsonText } from "../read-json-text.ts";

export interface ExportedCall {
  /** When and what, for a comment above it. Never anything that came out of a sandbox. */
  about: string;
  step: Step;
  output: { stdout: string; stderr: string; results: { mime: string; text?: string; data?: string }[] };
}

export type Step =
  | { kind: "python"; code: string }
  | { kind: "bash"; command: string; cwd?: string }
  | { kind: "file"; path: string; content: string; append: boolean }
  | { kind: "packages"; packages: string[] }
  | { kind: "other"; tool: string; given: string };

const shapes = {
  execute_python: z.object({ code: z.string() }).transform(({ code }) => ({ kind: "python" as const, code })),
  execute_bash: z
    .object({ command: z.string(), cwd: z.string().optional() })
    .transform((given) => ({ kind: "bash" as const, ...given })),
  write_file: z
    .object({ file_path: z.string(), content: z.string(), append: z.boolean().default(false) })
    .transform(({ file_path, ...rest }) => ({ kind: "file" as const, path: file_path, ...rest })),
  install_dependencies: z
    .object({ packages: z.array(z.string()) })
    .transform(({ packages }) => ({ kind: "packages" as const, packages })),
};

export function stepOf(tool: string, given: string): Step {
  const shape = Object.hasOwn(shapes, tool) ? shapes[tool as keyof typeof shapes] : undefined;
  const parsed = shape ? readJsonText<Step | undefined>(shape, given, undefined) : undefined;
  return parsed ?? { kind: "other", tool, given };
}
