// What every editor can do, whatever it edits.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { look } from "./look.ts";

export const extensions: Extension = [
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of("    "),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches({ minSelectionLength: 2 }),
  EditorState.tabSize.of(4),
  // Escape, then Tab, leaves the editor: CodeMirror sees to that by itself.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
  look,
];

/** Nothing can be typed, but it can be focused, selected and searched. */
export function readOnly(is: boolean): Extension {
  if (!is) return [];
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" }),
  ];
}
