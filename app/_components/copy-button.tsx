"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const { copied, copy } = useCopied();
  return (
    <Button size="small" onClick={() => copy(text)} aria-live="polite">
      {copied ? <Check className="size-3.5" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
      {copied ? "Copied" : label}
    </Button>
  );
}

export function IconCopy({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const { copied, copy } = useCopied();
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={label}
        onClick={() => copy(typeof text === "string" ? text : text())}
        className={copied ? "text-accent" : undefined}
      />
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

/** Copies, and says for two seconds that it did. */
function useCopied(): { copied: boolean; copy(text: string): void } {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  return { copied, copy: (text) => copyText(text).then(setCopied) };
}

/** Whether it worked. The clipboard API is missing over plain http from another machine; selecting and copying works there. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
