// What a tool call looks like to a person: a short title, and what it runs as code instead of JSON.
import { languageOfFile } from "#app/_code/languages.ts";

export interface ToolView {
  title: string;
  /** The thing it is about, such as a path. */
  subject?: string;
  code?: string;
  language?: string;
  /** Open by default: something runs or is written. A look around is only worth a line. */
  major: boolean;
}

type Input = Record<string, unknown>;

const VIEWS: Record<string, (input: Input) => ToolView> = {
  execute_python: ({ code, session }) => ({
    title: "Python",
    subject: session && session !== "default" ? `session ${session}` : undefined,
    code: string(code),
    language: "python",
    major: true,
  }),
  execute_bash: ({ command, cwd }) => ({
    title: "Bash",
    subject: cwd ? string(cwd) : undefined,
    code: string(command),
    language: "bash",
    major: true,
  }),
  write_file: ({ file_path, content, append }) => ({
    title: append ? "Append to" : "Write",
    subject: string(file_path),
    code: string(content),
    language: languageOfFile(string(file_path)),
    major: true,
  }),
  edit_file: ({ file_path, old_text, new_text }) => ({
    title: "Edit",
    subject: string(file_path),
    code: [...marked("-", old_text), ...marked("+", new_text)].join("\n"),
    language: "diff",
    major: true,
  }),
  install_dependencies: ({ packages }) => ({
    title: "Install",
    code: `pip install ${list(packages).join(" ")}`,
    language: "bash",
    major: true,
  }),
  read_file: ({ file_path }) => ({ title: "Read", subject: string(file_path), major: false }),
  list_files: ({ path }) => ({ title: "List files", subject: string(path) || "/workspace", major: false }),
  read_docstring: ({ file_path, function_name }) => ({
    title: "Read the docstring of",
    subject: [string(function_name), string(file_path)].filter(Boolean).join(" in "),
    major: false,
  }),
  list_installed_packages: () => ({ title: "List installed packages", major: false }),
  check_execution: () => ({ title: "Wait for a run", major: true }),
  stop_execution: () => ({ title: "Stop a run", major: false }),
  reset_session: ({ session }) => ({ title: "Reset Python session", subject: string(session), major: false }),
  sandbox_info: () => ({ title: "Look at the sandbox", major: false }),
  list_artifacts: () => ({ title: "List artifacts", major: false }),
  get_artifact: () => ({ title: "Look at an artifact", major: false }),
  list_skills: () => ({ title: "List skills", major: false }),
  read_skill: ({ name, path }) => ({
    title: "Read skill",
    subject: [string(name), string(path)].filter(Boolean).join("/"),
    major: false,
  }),
};

export function toolView(name: string, input: unknown): ToolView {
  const given = typeof input === "object" && input !== null ? (input as Input) : {};
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (view) return view(given);
  return { title: name, code: JSON.stringify(given, null, 2), language: "json", major: false };
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
