// The index of /tools for the prompt, made from the package's own signatures and docstrings, so it can't go stale.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { perProcess } from "../per-process.ts";

export interface ToolsEntry {
  /** As it is imported and called: `tools.read_table(path: str | Path) -> DataFrame`. */
  name: string;
  /** The first line of its docstring. */
  description: string;
  /** Where read_docstring finds the rest. */
  file: string;
}

const FRESH_MS = 2_000;
const cache = perProcess<{ at: number; entries: Promise<ToolsEntry[]> }>("tools-index");

export function toolsIndex(now = Date.now()): Promise<ToolsEntry[]> {
  const known = cache.peek();
  if (known && now - known.at < FRESH_MS) return known.entries;
  const entries = readPackage(path.resolve("tools"));
  cache.set({ at: now, entries });
  return entries;
}

/** What `__all__` names, in its order. */
export async function readPackage(folder: string): Promise<ToolsEntry[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".py")).sort();
  const sources = new Map<string, string>();
  for (const name of names) sources.set(name, await readFile(path.join(folder, name), "utf8"));
  const all = /^__all__ = \[([^\]]*)\]/m.exec(sources.get("__init__.py") ?? "")?.[1] ?? "";
  const entries = new Map<string, ToolsEntry>();
  for (const [file, source] of sources) {
    for (const entry of definitions(source)) {
      entries.set(entry.id, {
        name: `tools.${entry.signature}`,
        description: entry.summary,
        file: `/tools/${file}`,
      });
    }
  }
  return [...all.matchAll(/"(\w+)"/g)].flatMap(([, name]) => entries.get(name ?? "") ?? []);
}

/** Top-level functions and classes with a docstring, as our own files are written: no parser for all of Python. */
function definitions(source: string) {
  // The parameters of one definition never reach into the next.
  const pattern =
    /^(?:def (\w+)\(((?:(?!\n(?:def|class) )[\s\S])*?)\)(?: -> ([^\n]+?))?|class (\w+)[^\n]*?):\n {4}"""(.+?)(?:"""|\n)/gm;
  return [...source.matchAll(pattern)].map(([, fn, parameters = "", returns, cls, summary = ""]) => {
    const flat = parameters.replace(/\s+/g, " ").replace(/,? $/, "").trim();
    const signature = cls ?? `${fn}(${flat})${returns ? ` -> ${returns}` : ""}`;
    return { id: cls ?? fn ?? "", signature, summary: summary.trim() };
  });
}
