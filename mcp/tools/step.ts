/** What a call does, in the few shapes that a script outside can repeat. Paths are those of the sandbox. */
export type Step =
  | { kind: "python"; code: string }
  | { kind: "bash"; command: string; cwd?: string }
  | { kind: "file"; path: string; content: string; append: boolean }
  /** A Python file, in a fresh interpreter. */
  | { kind: "program"; path: string }
  | { kind: "packages"; packages: string[] };
