// Loaded on its own, when the first code is shown. Shiki's JavaScript engine needs no WebAssembly, which our
// Content-Security-Policy forbids; its colours are the variables of code.css, so both themes come from one pass.
import { createCssVariablesTheme, createHighlighterCore, type ThemedToken } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { Language } from "./languages.ts";

export type Line = Pick<ThemedToken, "content" | "color">[];

// Each is a file that is loaded when its language is first met.
const GRAMMARS = {
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
} satisfies Record<Language, () => Promise<unknown>>;

const highlighter = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: "cove", variablePrefix: "--code-" })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

export async function highlight(code: string, language: Language): Promise<Line[]> {
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(GRAMMARS[language]());
  const lines = shiki.codeToTokensBase(code, { lang: language, theme: "cove", tokenizeMaxLineLength: 2000 });
  return lines.map((tokens) => tokens.map(({ content, color }) => ({ content, color })));
}
