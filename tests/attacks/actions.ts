// The other way into the server that a page has: functions it calls by name. Every one there is, found in the tree, and what
// each promises about the ids it takes.
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { insertAllowedHost } from "#db/queries/egress.ts";
import { insertInvitation, listInvitations } from "#db/queries/invitations.ts";
import { listUsers } from "#db/queries/users.ts";
import { root, TEST_BUILD } from "../support/cove.ts";
import { databaseOf } from "../support/people.ts";
import type { Resident } from "../support/resident.ts";
import type { Values } from "./inventory.ts";

export interface Action {
  /** The values of a thing that is this person's own, by field. */
  own?: (ada: Resident) => Promise<Values>;
  /** Whether that thing is as it was. */
  still?: (ada: Resident, values: Values) => Promise<boolean>;
  /** Who may do it, if not whoever it belongs to. */
  by?: "admin";
}

/** It takes no id, or a name that everybody has of their own: nobody else's can be meant. */
const nobodys: Action = {};
const run: Action = { own: aRun, still: runIsThere };
const person: Action = { own: herself, still: tokenWorks, by: "admin" };
const invitation: Action = { own: anInvitation, still: invitationIsThere, by: "admin" };
const host: Action = { own: aHost, still: async () => true, by: "admin" };

/** By file below app/ and name. */
export const ACTIONS: Record<string, Action> = {
  "(app)/admin/actions.ts allow": host,
  "(app)/admin/actions.ts demote": {
    ...person,
    own: (ada) => changed(ada, sql`admin = true`),
    still: isAdmin,
  },
  "(app)/admin/actions.ts destroySandbox": { ...person, own: withFile, still: fileIsThere },
  "(app)/admin/actions.ts disable": person,
  "(app)/admin/actions.ts disallow": { ...host, own: anAllowedHost },
  "(app)/admin/actions.ts enable": {
    ...person,
    own: (ada) => changed(ada, sql`disabled_at = now()`),
    still: async (ada) => !(await tokenWorks(ada)),
  },
  "(app)/admin/actions.ts invite": { own: aStranger, still: nobodyIsInvited, by: "admin" },
  "(app)/admin/actions.ts promote": { ...person, still: async (ada) => !(await isAdmin(ada)) },
  "(app)/admin/actions.ts resetPassword": { ...person, still: isSignedIn },
  "(app)/admin/actions.ts stopSandbox": { ...person, own: withFile, still: fileIsThere },
  "(app)/admin/actions.ts uninvite": invitation,
  "(app)/history/actions.ts removeRun": run,
  "(app)/history/actions.ts removeRuns": {
    ...run,
    own: async (ada) => ({ ids: (await aRun(ada)).id ?? "" }),
  },
  "(app)/history/actions.ts repeatRun": run,
  "(app)/history/actions.ts stopRun": { own: aProgram, still: programRuns },
  "(app)/settings/actions.ts addToken": nobodys,
  "(app)/settings/actions.ts endEveryOtherSession": nobodys,
  "(app)/settings/actions.ts endSession": { own: aSession, still: isSignedIn },
  "(app)/settings/actions.ts removeAccount": nobodys,
  "(app)/settings/actions.ts removeToken": { own: aToken, still: tokenWorks },
  "(app)/settings/actions.ts savePassword": nobodys,
  "(app)/settings/actions.ts saveProfile": nobodys,
  "(app)/settings/models/actions.ts addKey": nobodys,
  "(app)/settings/models/actions.ts removeKey": nobodys,
  "(app)/settings/models/actions.ts testKey": nobodys,
  "(app)/skills/actions.ts addOne": nobodys,
  "(app)/skills/actions.ts customiseOne": nobodys,
  "(app)/skills/actions.ts deleteOne": nobodys,
  "(app)/skills/actions.ts editOne": nobodys,
  "(app)/skills/actions.ts switchOne": nobodys,
  "(app)/skills/actions.ts validate": nobodys,
  "(entry)/actions.ts joinWithPassword": nobodys,
  "(entry)/actions.ts openInvitation": nobodys,
  "(entry)/actions.ts signInWithPassword": nobodys,
  "(entry)/actions.ts signInWithProvider": nobodys,
  "(entry)/actions.ts signOutHere": nobodys,
  "(entry)/actions.ts signUpWithPassword": nobodys,
};

/** Those in the tree. One that is hidden inside another function would escape this list, so there are none. */
export function actionsInTree(): string[] {
  const app = path.join(root, "app");
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(app, file), "utf8");
      if (!/["']use server["']/.test(text)) return [];
      if (!text.startsWith('"use server"')) throw new Error(`${file} hides an action inside.`);
      const found = [...text.matchAll(/^export (?:default )?(?:async function|const|function) (\w+)/gm)];
      return found.map(([, name]) => `${file} ${name}`);
    })
    .sort();
}

/** Calls one as a form of a page does, with React's own encoding of its two arguments. */
export async function callAction(
  who: Pick<Resident, "cove" | "cookie">,
  name: string,
  values: Values,
  headers: Record<string, string> = {},
): Promise<string> {
  const { id, page } = builtAction(name);
  const body = new FormData();
  for (const [field, value] of Object.entries(values)) body.append(`_1_${field}`, value);
  body.append("0", '[{},"$K1"]');
  const response = await fetch(who.cove.url + page, {
    method: "POST",
    redirect: "manual",
    headers: {
      cookie: who.cookie,
      origin: who.cove.url,
      "next-action": id,
      accept: "text/x-component",
      ...headers,
    },
    body,
  });
  return `${response.status} ${await response.text()}`;
}

function builtAction(name: string): { id: string; page: string } {
  const manifest = path.join(root, TEST_BUILD, "server/server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(manifest, "utf8")) as {
    node: Record<string, { workers: object; filename: string; exportedName: string }>;
  };
  for (const [id, { workers, filename, exportedName }] of Object.entries(node)) {
    if (`${filename.replace(/^app\//, "")} ${exportedName}` !== name) continue;
    const pages = Object.keys(workers).map((worker) => worker.replace(/^app|\/page$|\/\([^)]*\)/g, ""));
    const page = pages.find((one) => !one.includes("["));
    // One that only pages with an id have can be called at any of them.
    return { id, page: page ?? pages[0]?.replace(/\[\w+\]/, "01900000-0000-7000-8000-000000000000") ?? "/" };
  }
  throw new Error(`${name} is in no page.`);
}

async function aRun(ada: Resident): Promise<Values> {
  return { id: (await ada.execute("execute_bash", { command: "echo hers" })).body.execution_id };
}

async function runIsThere(ada: Resident, { id, ids }: Values): Promise<boolean> {
  return (await fetch(...ada.get(`/api/history/${id ?? ids}`))).ok;
}

async function aProgram(ada: Resident): Promise<Values> {
  const { body } = await ada.execute("execute_bash", { command: "sleep 300", background: true });
  return { id: body.execution_id };
}

async function programRuns(ada: Resident, { id }: Values): Promise<boolean> {
  const { body } = await ada.execute("check_execution", { execution_id: id, wait: 0 });
  return body.status === "running";
}

async function aSession(ada: Resident): Promise<Values> {
  return { id: await newestOf(ada, "sessions") };
}

async function isSignedIn(ada: Resident): Promise<boolean> {
  return (await fetch(...ada.get("/api/conversations"))).ok;
}

async function aToken(ada: Resident): Promise<Values> {
  return { id: await newestOf(ada, "api_tokens") };
}

async function tokenWorks(ada: Resident): Promise<boolean> {
  return (await ada.execute("list_skills")).status === 200;
}

async function herself({ id }: Resident): Promise<Values> {
  return { id };
}

/** Herself, after a change that only an administrator makes. */
async function changed({ cove, id }: Resident, change: SQL): Promise<Values> {
  const { db } = await databaseOf(cove.dataDir);
  await db.execute(sql`update users set ${change} where id = ${id}`);
  return { id };
}

async function isAdmin({ cove, token }: Resident): Promise<boolean> {
  return (await fetch(`${cove.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).ok;
}

async function withFile(ada: Resident): Promise<Values> {
  await ada.execute("write_file", { file_path: "hers.txt", content: "hers" });
  return { id: ada.id };
}

async function fileIsThere(ada: Resident): Promise<boolean> {
  return (await ada.execute("read_file", { file_path: "hers.txt" })).status === 200;
}

async function aHost(): Promise<Values> {
  return { host: "example.org" };
}

async function anAllowedHost({ cove }: Resident): Promise<Values> {
  const { db } = await databaseOf(cove.dataDir);
  await insertAllowedHost(db, "example.net", "an administrator");
  return { host: "example.net" };
}

async function aStranger(): Promise<Values> {
  return { email: `${randomUUID()}@example.com` };
}

async function nobodyIsInvited({ cove }: Resident, { email }: Values): Promise<boolean> {
  const { db } = await databaseOf(cove.dataDir);
  return (await listInvitations(db)).every((invitation) => invitation.email !== email);
}

async function anInvitation({ cove }: Resident): Promise<Values> {
  const { db } = await databaseOf(cove.dataDir);
  const [admin] = (await listUsers(db)).filter((user) => user.admin);
  const { id } = await insertInvitation(db, {
    email: `${randomUUID()}@example.com`,
    admin: false,
    hash: randomBytes(32),
    invitedBy: admin?.id ?? "",
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  return { id };
}

async function invitationIsThere({ cove }: Resident, { id }: Values): Promise<boolean> {
  const { db } = await databaseOf(cove.dataDir);
  return (await listInvitations(db)).some((invitation) => invitation.id === id);
}

async function newestOf({ cove, id }: Resident, table: "sessions" | "api_tokens"): Promise<string> {
  const { db } = await databaseOf(cove.dataDir);
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from ${sql.identifier(table)} where user_id = ${id} order by created_at desc limit 1`,
  );
  return rows[0]?.id ?? "";
}
