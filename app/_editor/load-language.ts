// What an editor knows of languages. Each is fetched when first needed: a page with Python loads no SQL.
import type { Extension } from "@codemirror/state";
import type { Language } from "#app/_code/languages.ts";

const html = () => import("@codemirror/lang-html").then(({ html }) => html());
const script = (typescript: boolean) => () =>
  import("@codemirror/lang-javascript").then(({ javascript }) => javascript({ jsx: true, typescript }));

const LOADERS: Partial<Record<Language, () => Promise<Extension>>> = {
  python: () => import("@codemirror/lang-python").then(({ python }) => python()),
  bash: async () => {
    const [{ StreamLanguage }, { shell }] = await Promise.all([
      import("@codemirror/language"),
      import("@codemirror/legacy-modes/mode/shell"),
    ]);
    return StreamLanguage.define(shell);
  },
  javascript: script(false),
  typescript: script(true),
  tsx: script(true),
  json: () => import("@codemirror/lang-json").then(({ json }) => json()),
  html,
  xml: html,
  css: () => import("@codemirror/lang-css").then(({ css }) => css()),
  markdown: () => import("@codemirror/lang-markdown").then(({ markdown }) => markdown()),
  yaml: () => import("@codemirror/lang-yaml").then(({ yaml }) => yaml()),
  sql: () => import("@codemirror/lang-sql").then(({ sql }) => sql()),
};

const PLAIN = Promise.resolve<Extension>([]);
const loaded = new Map<Language, Promise<Extension>>();

/** Nothing for a language that an editor doesn't know. */
export function loadLanguage(language: Language | undefined): Promise<Extension> {
  const load = language && LOADERS[language];
  if (!load) return PLAIN;
  const known = loaded.get(language);
  if (known) return known;
  const coming = load();
  loaded.set(language, coming);
  // Offline for a moment: the next editor tries again.
  coming.catch(() => loaded.delete(language));
  return coming;
}
