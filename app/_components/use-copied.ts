"use client";

import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";

/** Copies, and says for two seconds that it did. */
export function useCopied(): { copied: boolean; copy(text: string): void } {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  return { copied, copy: (text) => copyText(text).then(setCopied) };
}
