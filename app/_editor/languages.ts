// The languages an editor knows. Each is fetched when first needed: a page with Python loads no SQL.
import type { Extension } from "@codemirror/state";

const LOADERS = {
  plain: async () => [],
  python: () => import("@codemirror/lang-python").then(({ python }) => python()),
  bash: async () => {
    const [{ StreamLanguage }, { shell }] = await Promise.all([
      import("@codemirror/language"),
      import("@codemirror/legacy-modes/mode/shell"),
    ]);
    return StreamLanguage.define(shell);
  },
  javascript: () => import("@codemirror/lang-javascript").then(({ javascript }) => javascript({ jsx: true })),
  typescript: () =>
    import("@codemirror/lang-javascript").then(({ javascript }) =>
      javascript({ jsx: true, typescript: true }),
    ),
  json: () => import("@codemirror/lang-json").then(({ json }) => json()),
  html: () => import("@codemirror/lang-html").then(({ html }) => html()),
  css: () => import("@codemirror/lang-css").then(({ css }) => css()),
  markdown: () => import("@codemirror/lang-markdown").then(({ markdown }) => markdown()),
  yaml: () => import("@codemirror/lang-yaml").then(({ yaml }) => yaml()),
  sql: () => import("@codemirror/lang-sql").then(({ sql }) => sql()),
} satisfies Record<string, () => Promise<Extension>>;

export type Language = keyof typeof LOADERS;

const loaded = new Map<Language, Promise<Extension>>();

export function loadLanguage(language: Language): Promise<Extension> {
  const known = loaded.get(language);
  if (known) return known;
  const coming = LOADERS[language]();
  loaded.set(language, coming);
  // Offline for a moment: the next editor tries again.
  coming.catch(() => loaded.delete(language));
  return coming;
}

const ENDINGS: Record<string, Language> = {
  py: "python",
  pyi: "python",
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  tsx: "typescript",
  json: "json",
  ipynb: "json",
  geojson: "json",
  html: "html",
  htm: "html",
  svg: "html",
  xml: "html",
  css: "css",
  md: "markdown",
  markdown: "markdown",
  yaml: "yaml",
  yml: "yaml",
  sql: "sql",
};

/** The language a file of this name is most likely written in. */
export function languageOf(fileName: string): Language {
  const ending = /\.([^./]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(ENDINGS, ending) ? (ENDINGS[ending] ?? "plain") : "plain";
}
