// The addresses of the workspace's handlers, and of the page itself.
import { joinPath, pathToText } from "#lib/files/workspace-path.ts";

export function listAddress(path: string, after?: string): string {
  return address("/api/files", [
    ["path", path],
    ["after", after],
  ]);
}

export function textAddress(path: string): string {
  return address("/api/files/text", [["path", path]]);
}

export function contentAddress(path: string): string {
  return address("/api/files/content", [["path", path]]);
}

export function imageAddress(path: string, version: string): string {
  return `${contentAddress(path)}&show=${encodeURIComponent(version)}`;
}

export function uploadAddress(path: string, replace: boolean): string {
  return contentAddress(path) + (replace ? "&replace=yes" : "");
}

export function zipAddress(paths: string[]): string {
  return address(
    "/api/files/zip",
    paths.map((path) => ["path", path]),
  );
}

/** A folder as a page, or a file of it. */
export function pageAddress(folder: string, file?: string): string {
  return address("/files", [
    ["path", folder || undefined],
    ["file", file],
  ]);
}

export function downloadAddress(folder: string, { name, type }: { name: string; type: string }): string {
  const path = joinPath(folder, name);
  return type === "directory" ? zipAddress([path]) : contentAddress(path);
}

function address(base: string, parameters: [string, string | undefined][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) if (value !== undefined) query.append(name, pathToText(value));
  return query.size > 0 ? `${base}?${query}` : base;
}
