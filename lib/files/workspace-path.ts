// Paths of the workspace as pages and addresses hold them: relative, "" being the workspace itself. Names are bytes, and a
// byte that isn't UTF-8 is a lone surrogate (sandbox/files/names.ts), which no address can hold; `pathToText` can.

export { displayName } from "#sandbox/files/names.ts";

const WORKSPACE = "/workspace";

/** Where the sandbox finds it. */
export function absolutePath(path: string): string {
  return path ? `${WORKSPACE}/${path}` : WORKSPACE;
}

export function joinPath(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** "" is the workspace; "..", "." and empty parts would mean something else than they say. */
export function isWorkspacePath(path: string): boolean {
  if (path === "") return true;
  if (path.length > 8192 || path.includes("\0")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Well-formed text for an address; `pathFromText` brings the path back exactly. */
export function pathToText(path: string): string {
  return path
    .replaceAll("\\", "\\\\")
    .replace(/[\udc80-\udcff]/gu, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`);
}

export function pathFromText(text: string): string {
  return text.replace(/\\(\\|x[89a-f][0-9a-f])/g, (_, escaped: string) =>
    escaped === "\\" ? "\\" : String.fromCharCode(0xdc00 + Number.parseInt(escaped.slice(1), 16)),
  );
}
