// Completion from somewhere that knows more than the text: asked for with Tab, never while typing.
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
  startCompletion,
} from "@codemirror/autocomplete";
import { indentMore } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

export interface Completions {
  /** What the options stand in for, as positions in the text. */
  from: number;
  to: number;
  options: { label: string; type?: string }[];
}

/** Answers nothing when there is nothing to offer. */
export type Complete = (
  code: string,
  cursor: number,
  signal: AbortSignal,
) => Promise<Completions | undefined>;

export function completion(complete: Complete): Extension {
  return [
    keymap.of([{ key: "Tab", run: completeOrIndent }]),
    autocompletion({
      override: [(context) => ask(complete, context)],
      activateOnTyping: false,
      icons: false,
      maxRenderedOptions: 100,
      // Tab twice in a row is meant.
      interactionDelay: 0,
    }),
  ];
}

async function ask(complete: Complete, context: CompletionContext): Promise<CompletionResult | null> {
  const gone = new AbortController();
  context.addEventListener("abort", () => gone.abort());
  const completions = await complete(context.state.doc.toString(), context.pos, gone.signal);
  if (!completions || context.aborted || completions.options.length === 0) return null;
  return {
    from: completions.from,
    to: completions.to,
    options: completions.options.map(({ label, type }) => ({ label, ...(type && { detail: type }) })),
    // Typing on narrows the list without asking again.
    validFor: /^[\w.%/-]*$/,
  };
}

/** Where there is nothing to complete, Tab does what it does elsewhere. */
function completeOrIndent(view: EditorView): boolean {
  if (completionStatus(view.state) === "active") return acceptCompletion(view);
  const { main } = view.state.selection;
  const before = view.state.doc
    .lineAt(main.head)
    .text.slice(0, main.head - view.state.doc.lineAt(main.head).from);
  if (main.empty && /\S$/.test(before)) return startCompletion(view);
  return indentMore(view);
}
