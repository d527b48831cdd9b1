import path from "node:path";

// Links of the image that lead to the outputs; the sandbox knows them by name, too.
const ALIASES: [string, string][] = [
  ["/mnt/data", "/workspace/outputs"],
  ["/mnt/user-data/outputs", "/workspace/outputs"],
];
const ASIDE = new Set(["node_modules", "__pycache__", "site-packages", "dist-packages"]);

/** A path as the sandbox tells of changes, or nothing where changes don't count: outside, hidden, or among packages. */
export function workspacePath(given: string): string | undefined {
  let full = path.posix.resolve("/workspace", given);
  for (const [alias, target] of ALIASES) {
    if (full === alias || full.startsWith(`${alias}/`)) full = target + full.slice(alias.length);
  }
  const [, root, ...parts] = full.split("/");
  const counts = parts.length > 0 && parts.every((part) => !part.startsWith(".") && !ASIDE.has(part));
  return root === "workspace" && counts ? full : undefined;
}
