"use client";

import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import type { Language } from "#app/_code/languages.ts";
import { type Complete, completion } from "./completion.ts";
import { extensions, readOnly } from "./extensions.ts";
import { loadLanguage } from "./load-language.ts";

export interface EditorHandle {
  focus(where?: "start" | "end"): void;
}

export interface EditorProps {
  /** What a screen reader calls it. */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  language?: Language;
  isReadOnly?: boolean;
  /** Shift-Enter is `next`, Ctrl-Enter or ⌘-Enter is `stay`. */
  onRun?: (then: "next" | "stay") => void;
  /** Ctrl-S or ⌘-S. */
  onSave?: () => void;
  /** Alt with an arrow, or an arrow that has nowhere to go. */
  onLeave?: (to: "previous" | "next") => void;
  onFocus?: () => void;
  /** Tab asks this where there is something to complete. */
  complete?: Complete;
  placeholder?: string;
  hasLineNumbers?: boolean;
  wraps?: boolean;
  className?: string;
  ref?: Ref<EditorHandle>;
}

/** CodeMirror as a React component. It keeps its own state: `value` is told to it only when it comes from elsewhere. */
export function Editor(props: EditorProps) {
  const { label, value, language, isReadOnly = false, className, ref } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // What the editor calls is looked up when it calls, so that it isn't rebuilt when a function changes.
  const latest = useRef(props);
  latest.current = props;
  const ownValue = useRef(value);
  const [first] = useState(value);
  const parts = useRef({
    label: new Compartment(),
    language: new Compartment(),
    readOnly: new Compartment(),
  });

  useLayoutEffect(() => {
    if (!place.current) return;
    // The text stood there until now, so that nothing jumps.
    place.current.replaceChildren();
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          Prec.high(keys(latest)),
          parts.current.label.of(labelled(latest.current.label)),
          parts.current.language.of([]),
          parts.current.readOnly.of(readOnly(latest.current.isReadOnly ?? false)),
          options(latest.current),
          EditorView.updateListener.of((update) => {
            if (update.focusChanged && update.view.hasFocus) latest.current.onFocus?.();
            if (!update.docChanged) return;
            const text = update.state.doc.toString();
            if (text === ownValue.current) return;
            ownValue.current = text;
            latest.current.onChange?.(text);
          }),
          extensions,
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    let wanted = true;
    loadLanguage(language).then(
      (extension) =>
        wanted && view.current?.dispatch({ effects: parts.current.language.reconfigure(extension) }),
      () => undefined, // without colours, then
    );
    return () => {
      wanted = false;
    };
  }, [language]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.label.reconfigure(labelled(label)) });
  }, [label]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.readOnly.reconfigure(readOnly(isReadOnly)) });
  }, [isReadOnly]);

  useEffect(() => {
    if (value === ownValue.current) return;
    ownValue.current = value;
    view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: value } });
  }, [value]);

  useImperativeHandle(ref, () => ({
    focus(where) {
      if (!view.current) return;
      view.current.focus();
      if (!where) return;
      const at = where === "start" ? 0 : view.current.state.doc.length;
      view.current.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    },
  }));

  return (
    <div ref={place} className={className} data-editor>
      <pre className="overflow-hidden px-3 py-2 font-mono text-[13px] leading-[1.55]">{first || " "}</pre>
    </div>
  );
}

type Latest = { current: EditorProps };

/** What is decided once, when the editor is made. */
function options({ complete, placeholder, hasLineNumbers, wraps }: EditorProps): Extension {
  return [
    EditorView.contentAttributes.of({ spellcheck: "false", autocapitalize: "off" }),
    complete ? completion(complete) : [],
    placeholder ? placeholderText(placeholder) : [],
    hasLineNumbers ? lineNumbers() : [],
    wraps ? EditorView.lineWrapping : [],
  ];
}

function labelled(label: string): Extension {
  return EditorView.contentAttributes.of({ "aria-label": label });
}

function keys(latest: Latest): Extension {
  const call = (name: "onRun" | "onSave" | "onLeave", ...values: unknown[]) => {
    const handler = latest.current[name] as ((...values: unknown[]) => void) | undefined;
    handler?.(...values);
    return handler !== undefined;
  };
  const leave = (to: "previous" | "next") => call("onLeave", to);
  return keymap.of([
    { key: "Shift-Enter", run: () => call("onRun", "next") },
    { key: "Mod-Enter", run: () => call("onRun", "stay") },
    { key: "Ctrl-Enter", run: () => call("onRun", "stay") },
    { key: "Mod-s", run: () => call("onSave"), preventDefault: true },
    { key: "Alt-ArrowUp", run: () => leave("previous") },
    { key: "Alt-ArrowDown", run: () => leave("next") },
    { key: "ArrowUp", run: (view) => atEdge(view, "start") && leave("previous") },
    { key: "ArrowDown", run: (view) => atEdge(view, "end") && leave("next") },
  ]);
}

function atEdge({ state }: EditorView, edge: "start" | "end"): boolean {
  const { main } = state.selection;
  return main.empty && main.head === (edge === "start" ? 0 : state.doc.length);
}
