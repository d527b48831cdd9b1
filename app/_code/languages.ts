// The languages that are known, for what is shown and for what is edited. Everything else stays plain.
const LANGUAGES = [
  "bash",
  "c",
  "cpp",
  "css",
  "diff",
  "docker",
  "go",
  "html",
  "ini",
  "java",
  "javascript",
  "json",
  "latex",
  "make",
  "markdown",
  "python",
  "r",
  "rust",
  "sql",
  "toml",
  "tsx",
  "typescript",
  "xml",
  "yaml",
] as const;

export type Language = (typeof LANGUAGES)[number];

const OTHER_NAMES: Record<string, Language> = {
  cjs: "javascript",
  console: "bash",
  dockerfile: "docker",
  geojson: "json",
  h: "c",
  hpp: "cpp",
  htm: "html",
  ipynb: "json",
  ipython: "python",
  js: "javascript",
  jsx: "tsx",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  py: "python",
  pyi: "python",
  python3: "python",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  tex: "latex",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

/** What a fence or a file's ending calls a language, as one we know. */
export function languageNamed(name: string | undefined): Language | undefined {
  const key = name?.toLowerCase() ?? "";
  const known = LANGUAGES.find((language) => language === key);
  if (known) return known;
  return Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
}

/** By the ending of its name; two are known by their whole name. */
export function languageOfFile(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [, ending] = /\.([^.]+)$/.exec(name) ?? [];
  return languageNamed(ending ?? /^(?:docker|make)file$/i.exec(name)?.[0]);
}
