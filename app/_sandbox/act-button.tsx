"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { ask } from "#app/_http/ask.ts";

/** Tells the server to do something at once, and says why if it doesn't. */
export function ActButton({
  url,
  body = {},
  label,
  onDone,
  children,
}: {
  url: string;
  body?: unknown;
  label?: string;
  onDone: () => void;
  children: ReactNode;
}) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const act = async () => {
    setPending(true);
    setProblem(undefined);
    await ask(url, { method: "POST", body }).catch((error: Error) => setProblem(error.message));
    setPending(false);
    onDone();
  };
  return (
    <span className="flex items-center gap-2">
      {problem && (
        <span role="alert" className="text-danger text-xs">
          {problem}
        </span>
      )}
      <Button size="small" aria-label={label} disabled={pending} aria-busy={pending} onClick={act}>
        {children}
      </Button>
    </span>
  );
}
