// Every page and every door there is, found in the tree, and what each promises about who may enter. One that is not in the
// table fails the tests until somebody has thought about it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../support/cove.ts";
import type { Resident } from "../support/resident.ts";

/**
 * `open`: anybody. `token`: a bearer token, never a cookie. `session`: the web's cookie, never a token. `admin token`: an
 * administrator's token. `admin`: an administrator's cookie; for everybody else there is nothing. `link`: a signed link, a
 * token or the cookie.
 */
type Guard = "open" | "token" | "session" | "admin token" | "admin" | "link";

export interface Entry {
  guard: Guard;
  /** For addresses that hold an id: the values of a thing that is this person's own, by parameter. */
  own?: (ada: Resident) => Promise<Values>;
  /** What is in the address is no id of a thing that somebody has. */
  nobodys?: true;
  /** What a door that checks these first needs before it looks for the id; or where the id itself is. */
  body?: object | ((values: Values) => object);
  query?: string | ((values: Values) => string);
  /** What a door that takes many ids says instead of 404 when none of them is the caller's. */
  none?: RegExp;
  /** A door has this address as well: whoever sends a token means that one. */
  shared?: true;
  /** Answers with a stream, in which the refusal is the first event. */
  stream?: true;
}

export type Values = Record<string, string>;

const open: Entry = { guard: "open" };
const token: Entry = { guard: "token" };
const session: Entry = { guard: "session" };
/** Whose id it is doesn't matter there: who may enter may see everybody's. */
const admin: Entry = { guard: "admin", nobodys: true };
const conversation: Entry = { guard: "session", own: aConversation };
const notebook: Entry = { guard: "session", own: aConsole };
const run: Entry = { guard: "session", own: aRun };
const artifact: Entry = { guard: "session", own: anArtifact };

/** By the folder below app/, groups in parentheses left out. */
export const INVENTORY: Record<string, Entry> = {
  "": open,
  join: open,
  "sign-in": open,
  "sign-up": open,
  "api/auth/[...nextauth]": open,
  // Documents of our own without anybody's data.
  "api/frames/[name]": { guard: "open", nobodys: true },
  "api/health": open,
  "api/openapi": open,

  "api/conformance": token,
  "api/execute": token,
  "api/execute/stream": token,
  "api/mcp": token,
  "api/metrics": { guard: "admin token" },
  "api/skills": token,
  "api/skills/[name]": { guard: "token", own: aSkill },
  "api/tools": token,
  "api/v1/chat/completions": token,
  "api/v1/models": token,

  admin,
  "admin/audit": admin,
  "admin/network": admin,
  "admin/sandboxes": admin,
  "admin/usage": admin,
  "admin/users": admin,
  "api/admin/audit": admin,

  artifacts: session,
  "artifacts/[id]": artifact,
  chat: session,
  "chat/[id]": conversation,
  console: session,
  "console/[id]": notebook,
  files: session,
  history: session,
  "history/[id]": run,
  settings: session,
  "settings/connect": session,
  "settings/models": session,
  "settings/security": session,
  "settings/tokens": session,
  skills: { guard: "session", shared: true },
  "skills/[name]": { guard: "session", own: aSkill, shared: true },
  "skills/[name]/edit": { guard: "session", own: aSkill },
  "skills/~new": { guard: "session", shared: true },

  "api/[...path]": open,
  "api/v1/[...path]": open,
  "api/artifacts": {
    ...artifact,
    query: ({ conversation }) => `?conversation=${conversation}`,
    body: ({ id }) => ({ ids: [id] }),
    none: /^\{"items":\[\]|^\{"deleted":0\}$/,
  },
  "api/artifacts/[id]/content/[name]": { guard: "link", own: anArtifact },
  "api/artifacts/[id]/links": artifact,
  "api/artifacts/[id]/preview/[name]": artifact,
  "api/artifacts/zip": { ...artifact, query: ({ id }) => `?ids=${id}` },
  "api/console": session,
  "api/console/[id]": { ...notebook, body: { name: "x", session: "x", cells: [], version: 1 } },
  "api/console/[id]/export": { ...notebook, body: { name: "x", session: "x", cells: [] } },
  "api/console/[id]/run": {
    ...notebook,
    body: { id: "x", kind: "bash", code: "true", session: "x" },
    stream: true,
  },
  "api/console/complete": session,
  "api/console/runs/[id]": { ...run, stream: true },
  "api/console/sessions": session,
  // By names that everybody has of their own: nobody else's can be meant.
  "api/console/sessions/[name]": { guard: "session", nobodys: true },
  "api/conversations": session,
  "api/conversations/[id]": { ...conversation, body: { title: "x" } },
  "api/conversations/[id]/export": conversation,
  "api/conversations/[id]/files": { ...conversation, query: "?name=x.txt" },
  "api/conversations/[id]/regenerate": conversation,
  "api/conversations/[id]/restore": conversation,
  "api/conversations/[id]/stop": conversation,
  "api/conversations/[id]/stream": { ...conversation, query: ({ message }) => `?message=${message}` },
  "api/conversations/[id]/turns": { ...conversation, body: { text: "hello" } },
  "api/files": session,
  "api/files/content": session,
  "api/files/disk": session,
  "api/files/folder": session,
  "api/files/move": session,
  "api/files/pulse": session,
  "api/files/text": session,
  "api/files/zip": session,
  "api/history/[id]": run,
  "api/history/export": { ...run, query: ({ id }) => `?format=py&ids=${id}` },
  "api/history/live": session,
  "api/model-keys": session,
  "api/model-keys/[provider]": { guard: "session", nobodys: true },
  "api/model-keys/[provider]/test": { guard: "session", nobodys: true },
  "api/models": session,
  "api/skill-zips": session,
  "api/skill-zips/[name]": { guard: "session", own: aSkill },
  // Without an id: the sandbox is always the caller's own.
  "api/sandbox": session,
  "api/sandbox/delete": session,
  "api/sandbox/details": session,
  "api/sandbox/processes/stop": session,
  "api/sandbox/reset": session,
  "api/sandbox/restart": session,
  "api/sandbox/sessions/reset": session,
};

export async function aConversation(ada: Resident): Promise<Values> {
  const { id } = await ada.post("/api/conversations", {});
  const { userMessage, assistantMessage } = await ada.post(`/api/conversations/${id}/turns`, {
    text: "!mkdir -p outputs && echo hers > outputs/hers.txt",
  });
  // Until the program has ended, the conversation takes no other message.
  await (await fetch(...ada.get(`/api/conversations/${id}/stream?message=${assistantMessage.id}`))).text();
  return { id, message: assistantMessage.id, question: userMessage.id };
}

async function aConsole(ada: Resident): Promise<Values> {
  return { id: (await ada.post("/api/console", { name: "x", session: "x", cells: [] })).id };
}

async function aRun(ada: Resident): Promise<Values> {
  return { id: (await ada.execute("execute_bash", { command: "echo hers" })).body.execution_id };
}

async function anArtifact(ada: Resident): Promise<Values> {
  const command = "mkdir -p outputs && date +%N > outputs/hers.txt";
  const { body } = await ada.execute("execute_bash", { command });
  const { id: conversation = "" } = await aConversation(ada);
  return { id: body.artifacts[0].id, name: "hers.txt", conversation };
}

async function aSkill(ada: Resident): Promise<Values> {
  const name = "only-hers";
  const content = `---\nname: ${name}\ndescription: Nobody else's.\n---\nHers.\n`;
  await ada.execute("write_file", { file_path: `.agents/skills/${name}/SKILL.md`, content });
  return { name };
}

export interface Place {
  /** As in the table. */
  name: string;
  kind: "page" | "door";
  methods: string[];
  /** Its own text speaks of ids, wherever they come from. */
  takesIds: boolean;
}

export function places(): Place[] {
  const app = path.join(root, "app");
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)(route\.ts|page\.tsx)$/.test(file) && !/(^|\/)_/.test(file))
    .map((file) => ({
      name: path.posix
        .dirname(file)
        .split("/")
        .filter((part) => part !== "." && !/^\(.*\)$/.test(part))
        .join("/"),
      kind: file.endsWith("page.tsx") ? ("page" as const) : ("door" as const),
      methods: file.endsWith("page.tsx") ? ["GET"] : methodsIn(path.join(app, file)),
      takesIds: /\buuid\(/.test(readFileSync(path.join(app, file), "utf8")),
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
  // What a door only has to say that it hasn't got is no method of it.
  const text = readFileSync(file, "utf8").replace(/\bwrong as \w+/g, "");
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const found = methods.filter((method) =>
    new RegExp(
      `export (const|async function|function) ${method}\\b|export (const )?\\{[^}]*\\b${method}\\b`,
    ).test(text),
  );
  if (found.length === 0) throw new Error(`${file} answers to no method the inventory can see.`);
  return found;
}
