"use client";

import { useId, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { Dialog } from "#app/_components/dialog.tsx";
import { ask } from "#app/_http/ask.ts";
import { Part } from "./part.tsx";

const CONFIRMATION = "delete everything";

const QUESTIONS = {
  restart: {
    title: "Restart the sandbox?",
    about: "Everything that runs in it ends, and Python sessions lose their variables. Files stay.",
    submit: "Restart",
  },
  reset: {
    title: "Reset the sandbox?",
    about:
      "A new container replaces this one. Everything that runs in it ends, and so does what is in /tmp. Files in /workspace and installed packages stay.",
    submit: "Reset",
  },
  delete: {
    title: "Delete everything?",
    about:
      "The container and its workspace are deleted: every file, every installed package, every session. This can't be undone. History and artifacts stay.",
    submit: "Delete everything",
  },
};

/** What ends things. Each asks first; what can't be undone asks for more than a click. */
export function Danger({ exists, onChange }: { exists: boolean; onChange: () => void }) {
  const [question, setQuestion] = useState<keyof typeof QUESTIONS>();
  const [typed, setTyped] = useState("");
  const id = useId();
  const close = () => {
    setQuestion(undefined);
    setTyped("");
  };
  return (
    <Part title="Start over">
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={!exists} onClick={() => setQuestion("restart")}>
          Restart…
        </Button>
        <Button size="small" disabled={!exists} onClick={() => setQuestion("reset")}>
          Reset…
        </Button>
        <Button
          size="small"
          disabled={!exists}
          className="text-danger!"
          onClick={() => setQuestion("delete")}
        >
          Delete everything…
        </Button>
      </div>
      {question && (
        <Dialog
          {...QUESTIONS[question]}
          danger={question === "delete"}
          disabled={question === "delete" && typed.trim().toLowerCase() !== CONFIRMATION}
          onSubmit={async () => {
            const body = question === "delete" ? { confirmation: typed } : {};
            await ask(`/api/sandbox/${question}`, { method: "POST", body });
            onChange();
          }}
          onClose={close}
        >
          {question === "delete" && (
            <div className="grid gap-1">
              <label htmlFor={id} className="text-[13px]">
                Type <strong>{CONFIRMATION}</strong> to confirm
              </label>
              <input
                id={id}
                value={typed}
                autoComplete="off"
                onChange={(event) => setTyped(event.target.value)}
                className="h-9 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm"
              />
            </div>
          )}
        </Dialog>
      )}
    </Part>
  );
}
