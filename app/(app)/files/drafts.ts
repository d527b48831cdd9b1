// Unsaved changes, kept while the page lives, so that a look at another file loses nothing.

export interface Draft {
  text: string;
  /** What the workspace has, as far as we know. */
  saved: string;
  /** Of what it has; null would be a file that isn't there. */
  hash: string | null;
  endings: "\n" | "\r\n";
}

export const keptDrafts = new Map<string, Draft>();

/** An editor knows lines and not how they end; a file from Windows gets its endings back when it is saved. */
export function endingsOf(text: string): Draft["endings"] {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n";
}
