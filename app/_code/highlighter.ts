// Loaded on its own, when the first code is shown. Shiki's JavaScript engine needs no WebAssembly, which our
// Content-Security-Policy forbids; its colours are the variables of code.css, so both themes come from one pass.
import { createCssVariablesTheme, createHighlighterCore, type ThemedToken } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { type Language, loadLanguage } from "./languages.ts";

export type Line = Pick<ThemedToken, "content" | "color">[];

const highlighter = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: "cove", variablePrefix: "--code-" })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

export async function highlight(code: string, language: Language): Promise<Line[]> {
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(loadLanguage(language));
  const lines = shiki.codeToTokensBase(code, { lang: language, theme: "cove", tokenizeMaxLineLength: 2000 });
  return lines.map((tokens) => tokens.map(({ content, color }) => ({ content, color })));
}
