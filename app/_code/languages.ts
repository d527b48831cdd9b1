// The languages that are highlighted, each a file that is loaded when it is first met. Everything else stays plain.
const LANGUAGES = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  latex: () => import("shiki/langs/latex.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  r: () => import("shiki/langs/r.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

export type Language = keyof typeof LANGUAGES;

export function loadLanguage(language: Language) {
  return LANGUAGES[language]();
}

const OTHER_NAMES: Record<string, Language> = {
  console: "bash",
  dockerfile: "docker",
  h: "c",
  hpp: "cpp",
  htm: "html",
  ipython: "python",
  js: "javascript",
  jsx: "tsx",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  py: "python",
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
  if (Object.hasOwn(LANGUAGES, key)) return key as Language;
  return Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
}

export function languageOfFile(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return languageNamed(name.slice(name.lastIndexOf(".") + 1));
}
