// Every page and every door there is, found in the tree, and what each promises about who may enter. One that is not in the
// table fails the tests until somebody has thought about it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../support/cove.ts";
import type { Resident } from "./resident.ts";

/**
 * `open`: anybody. `token`: a bearer token, never a cookie. `session`: the web's cookie, never a token. `either`: a token,
 * or else the cookie. `admin token`: an administrator's token. `link`: a signed link, or else `either`.
 */
export type Guard = "open" | "token" | "session" | "either" | "admin token" | "link";

export interface Entry {
  guard: Guard;
  /** For addresses that hold an id: the values of a thing that is this person's own, by parameter. */
  own?: (ada: Resident) => Promise<Record<string, string>>;
  /** What the body looks like to a door that checks it before it looks for the id. */
  body?: unknown;
}

const token: Entry = { guard: "token" };
const session: Entry = { guard: "session" };
const open: Entry = { guard: "open" };

/** By the folder below app/, groups in parentheses left out. */
export const INVENTORY: Record<string, Entry> = {
  "": open,
  "sign-in": open,
  "sign-up": open,
  "api/auth/[...nextauth]": open,
  "api/health": open,
  "api/conformance": token,
  "api/execute": token,
  "api/execute/stream": token,
  "api/mcp": token,
  "api/openapi": token,
  "api/tools": token,
  "api/metrics": { guard: "admin token" },
  artifacts: session,
  chat: session,
  console: session,
  files: session,
  history: session,
  settings: session,
  "settings/security": session,
  "settings/tokens": session,
  skills: session,
};

export interface Place {
  /** As in the table. */
  name: string;
  kind: "page" | "door";
  methods: string[];
}

export function places(): Place[] {
  const app = path.join(root, "app");
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)(route\.ts|page\.tsx)$/.test(file))
    .map((file) => ({
      name: path.posix
        .dirname(file)
        .split("/")
        .filter((part) => part !== "." && !/^\(.*\)$/.test(part))
        .join("/"),
      kind: file.endsWith("page.tsx") ? ("page" as const) : ("door" as const),
      methods: file.endsWith("page.tsx") ? ["GET"] : methodsIn(path.join(app, file)),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** With the parameters filled in: ids by default, so that what is asked for is well formed and nobody's. */
export function addressOf({ name }: Place, values: Record<string, string> = {}): string {
  const nobody = "01900000-0000-7000-8000-000000000000";
  const filled = name.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_all, key) =>
    (values[key] ?? nobody).split("/").map(encodeURIComponent).join("/"),
  );
  return `/${filled}`;
}

function methodsIn(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const found = methods.filter((method) =>
    new RegExp(
      `export (const|async function|function) ${method}\\b|export (const )?\\{[^}]*\\b${method}\\b`,
    ).test(text),
  );
  if (found.length === 0) throw new Error(`${file} answers to no method the inventory can see.`);
  return found;
}
