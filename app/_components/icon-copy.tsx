"use client";

import { Check, Copy } from "lucide-react";
import { IconButton } from "./icon-button.tsx";
import { useCopied } from "./use-copied.ts";

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
