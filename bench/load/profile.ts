// What people do all day, over HTTP as they do it, and whether the answer was right: a wrong one is an error like none at all.
import { randomBytes } from "node:crypto";
import { rpc, send } from "../http.ts";
import type { LoadUser } from "./users.ts";

export const KINDS = ["bash", "python", "upload", "download", "history"] as const;
export type Kind = (typeof KINDS)[number];

// Of a hundred calls. Whoever has no interpreter runs commands instead of cells.
const SHARES: Record<Kind, number> = { bash: 40, python: 20, upload: 10, download: 10, history: 20 };
const DECK = KINDS.flatMap((kind) => Array<Kind>(SHARES[kind]).fill(kind));
const FILE_BYTES = 16 * 1024;

export const CALLS: Record<Kind, (user: LoadUser) => Promise<void>> = {
  bash,
  python,
  upload,
  download,
  history,
};

export function drawKind(user: LoadUser): Kind {
  const kind = DECK[Math.floor(Math.random() * DECK.length)] ?? "bash";
  if (kind === "python" && !user.python) return "bash";
  return kind === "download" && !user.uploaded ? "upload" : kind;
}

/** Through the MCP door and the REST door in turns. Every fourth leaves a file, which becomes an artifact. */
async function bash(user: LoadUser): Promise<void> {
  const number = user.commands++;
  const said = `${user.tag} ${number}`;
  const command = number % 4 === 3 ? `echo ${said} | tee note.txt` : `echo ${said}`;
  if (number % 2 === 1) {
    const { stdout } = await execute(user, "execute_bash", { command });
    return expectSame("a command's output", stdout, `${said}\n`);
  }
  const call = { name: "execute_bash", arguments: { command } };
  const answer = await rpc(`${user.url}/api/mcp`, "tools/call", call, { headers: bearer(user) });
  if (!answer.includes(`"stdout":"${said}\\n"`)) throw new Error(`MCP answered ${answer.slice(0, 300)}`);
}

/** A variable that counts: state that is somebody else's shows at once, and so does state that is lost without saying so. */
async function python(user: LoadUser): Promise<void> {
  const code = `n = globals().get("n", 0) + 1\nf"${user.tag} {n}"`;
  const { results, restarted } = await execute(user, "execute_python", { code });
  user.cells = restarted ? 1 : user.cells + 1;
  const [shown] = results as { text?: string }[];
  expectSame("a cell's result", shown?.text, `'${user.tag} ${user.cells}'`);
}

async function upload(user: LoadUser): Promise<void> {
  const content = randomBytes(FILE_BYTES);
  const { status, body } = await send(`${user.url}/api/files/content?path=data.bin&replace=yes`, {
    method: "PUT",
    headers: { cookie: user.cookie, "content-type": "application/octet-stream" },
    body: content,
  });
  if (status !== 200) throw new Error(`An upload was answered ${status}: ${body.subarray(0, 300)}`);
  user.uploaded = content;
}

async function download(user: LoadUser): Promise<void> {
  const headers = { cookie: user.cookie };
  const { status, body } = await send(`${user.url}/api/files/content?path=data.bin`, { headers });
  if (status !== 200) throw new Error(`A download was answered ${status}: ${body.subarray(0, 300)}`);
  if (!user.uploaded?.equals(body)) throw new Error("A file came back different.");
}

/** The whole page as a browser gets it, plain and filtered in turns. */
async function history(user: LoadUser): Promise<void> {
  const query = user.commands % 2 === 0 ? "" : "?tool=execute_bash";
  const { status, body } = await send(`${user.url}/history${query}`, { headers: { cookie: user.cookie } });
  if (status !== 200) throw new Error(`The history was answered ${status}.`);
  if (user.commands > 0 && !body.includes(user.tag)) throw new Error("The history lacks its user's runs.");
}

async function execute(user: LoadUser, name: string, args: object): Promise<Record<string, unknown>> {
  const { status, body } = await send(`${user.url}/execute`, {
    method: "POST",
    headers: { ...bearer(user), "content-type": "application/json" },
    body: JSON.stringify({ name, arguments: args }),
  });
  if (status !== 200) throw new Error(`${name} was answered ${status}: ${body.subarray(0, 300)}`);
  return JSON.parse(body.toString());
}

function bearer({ token }: LoadUser) {
  return { authorization: `Bearer ${token}` };
}

function expectSame(what: string, seen: unknown, expected: string): void {
  if (seen !== expected) throw new Error(`${what} was ${JSON.stringify(seen)} instead of ${expected}`);
}
