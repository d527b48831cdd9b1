"use client";

import { Check, Copy } from "lucide-react";
import { Button } from "./button.tsx";
import { useCopied } from "./use-copied.ts";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const { copied, copy } = useCopied();
  return (
    <Button size="small" onClick={() => copy(text)} aria-live="polite">
      {copied ? <Check className="size-3.5" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
      {copied ? "Copied" : label}
    </Button>
  );
}
