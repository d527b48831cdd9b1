// How an editor looks, in the colours of app/globals.css: one definition for both themes.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

// Each has at least 4.5:1 against the surface it stands on.
const KEYWORD = "light-dark(#7a3e9d, #cf9df0)";
const STRING = "light-dark(#2f6f2f, #8fd08a)";
const NUMBER = "light-dark(#9a4a00, #f0b072)";
const NAME = "light-dark(#0b5cad, #82b8f5)";

const colours = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.modifier, t.controlKeyword], color: KEYWORD },
  { tag: [t.string, t.special(t.string), t.regexp, t.attributeValue], color: STRING },
  { tag: [t.number, t.bool, t.null, t.atom, t.escape], color: NUMBER },
  { tag: [t.function(t.variableName), t.function(t.propertyName), t.className, t.typeName], color: NAME },
  { tag: [t.definition(t.variableName), t.propertyName, t.tagName, t.attributeName], color: NAME },
  { tag: [t.self, t.special(t.variableName), t.standard(t.name)], color: NUMBER },
  { tag: [t.comment, t.meta, t.processingInstruction], color: "var(--muted)" },
  { tag: t.heading, color: "var(--ink)", fontWeight: "600" },
  { tag: t.strong, fontWeight: "600" },
  { tag: t.emphasis, fontStyle: "italic" },
  { tag: [t.link, t.url], color: "var(--accent)" },
  { tag: t.invalid, color: "var(--danger)" },
]);

const frame = EditorView.theme({
  "&": { color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "light-dark(#cfe7e2, #1f4a44)",
  },
  ".cm-gutters": { background: "transparent", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 12px", minWidth: "36px" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  "&.cm-focused .cm-matchingBracket": {
    background: "var(--accent-soft)",
    outline: "1px solid var(--accent)",
  },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-searchMatch": { background: "light-dark(#fff0b3, #564a12)" },
  ".cm-searchMatch-selected": { background: "light-dark(#ffd866, #7d6a10)" },
  ".cm-panels": { background: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": {
    background: "var(--surface)",
    backgroundImage: "none",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
    color: "var(--ink)",
  },
  ".cm-tooltip": {
    background: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    overflow: "hidden",
    boxShadow: "0 8px 24px rgb(0 0 0 / 0.16)",
    // Above the application's own bars.
    zIndex: "30",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-mono)",
    fontSize: "12.5px",
    maxHeight: "14em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionMatchedText": { color: "var(--accent)", textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "1.5em" },
});

export const look = [frame, syntaxHighlighting(colours)];
