// A unix socket that speaks the engine's API and passes on what `permit` allows, so that a server in a container needs no
// socket with which it could own the host. Requests are parsed here and written anew: what was checked is what is sent.
import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Asked } from "./asked.ts";
import { NotPermitted, permit } from "./permit.ts";

export interface GateOptions {
  /** Where to listen. */
  socket: string;
  /** The engine's own socket. */
  engine: string;
  image: string;
}

const MOST_BYTES = 2 ** 20;
// Started at once after they were made, so that the last few are enough.
const MOST_EXECS = 10_000;

export async function openGate({ socket, engine, image }: GateOptions): Promise<Server> {
  const ours = new Set<string>();
  const execs = new Set<string>();

  async function admit(message: IncomingMessage, body: Buffer): Promise<{ path: string; body: Buffer }> {
    const [path = "", query] = (message.url ?? "").split("?", 2);
    const asked: Asked = { method: message.method ?? "", path, body: parse(body), image };
    const permission = permit(asked);
    if ("container" in permission) await requireOurs(permission.container);
    if ("exec" in permission && !execs.has(permission.exec))
      throw new NotPermitted("This exec is not Cove's.");
    // Serialised from what was checked: a second reading of the same bytes could differ.
    const sent = asked.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(asked.body));
    return { path: `${path}?${knownOf(query)}`, body: sent };
  }

  async function requireOurs(id: string): Promise<void> {
    if (ours.has(id)) return;
    const { status, text } = await ask(engine, `/containers/${id}/json`);
    // Whoever asks for what isn't there hears it from the engine.
    if (status === 404) return;
    const found = JSON.parse(text);
    if (!found?.Config?.Labels?.cove) throw new NotPermitted("This container is not Cove's.");
    ours.add(id);
  }

  function forward(message: IncomingMessage, { path, body }: { path: string; body: Buffer }) {
    const headers: Record<string, string> = { host: "docker" };
    for (const name of ["upgrade", "connection"])
      if (message.headers.upgrade && message.headers[name]) headers[name] = String(message.headers[name]);
    if (body.length > 0 || message.method === "POST") {
      headers["content-type"] = "application/json";
      headers["content-length"] = String(body.length);
    }
    const sent = request({
      socketPath: engine,
      path,
      headers,
      ...(message.method && { method: message.method }),
    });
    sent.end(body);
    return sent;
  }

  async function pass(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    const sent = forward(message, await admit(message, await readBody(message)));
    answer.on("close", () => sent.destroy());
    sent.on("error", (error) => refuse(answer, 502, error.message));
    sent.on("response", (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      if (/\/exec$/.test(message.url?.split("?")[0] ?? "")) noteExec(from, execs);
      from.pipe(answer);
    });
  }

  async function upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { body, rest } = await takeBody(message, socket, head);
    const sent = forward(message, await admit(message, body));
    sent.on("error", () => socket.destroy());
    sent.on("response", (from) =>
      socket.end(`HTTP/1.1 ${from.statusCode} Refused\r\nconnection: close\r\n\r\n`),
    );
    sent.on("upgrade", (from, stream, first) => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 UPGRADED\r\n${lines.join("\r\n")}\r\n\r\n`);
      socket.write(first);
      stream.write(rest);
      stream.pipe(socket).pipe(stream);
      for (const [one, other] of [
        [stream, socket],
        [socket, stream],
      ] as const)
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
    });
  }

  const server = createServer({ maxHeaderSize: MOST_BYTES }, (message, answer) => {
    pass(message, answer).catch((error) =>
      refuse(answer, error instanceof NotPermitted ? 403 : 502, error.message),
    );
  });
  server.on("upgrade", (message, socket, head) => {
    socket.on("error", () => socket.destroy());
    upgrade(message, socket, head).catch((error) => {
      const body = JSON.stringify({ message: error.message });
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  });
  await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socket, resolve));
  // Whoever sees the folder may use it: it is a volume that the server and the gate share.
  await chmod(socket, 0o666);
  return server;
}

/** The client library repeats the whole body in the query; the engine needs these. */
function knownOf(query = ""): URLSearchParams {
  const known = ["name", "t", "v", "force", "signal", "condition", "stream", "stdin", "stdout", "stderr"];
  const lists = ["all", "filters", "since", "until"];
  const given = [...new URLSearchParams(query)].filter(([name]) => [...known, ...lists].includes(name));
  return new URLSearchParams(given);
}

function noteExec(from: IncomingMessage, execs: Set<string>): void {
  const pieces: Buffer[] = [];
  from.on("data", (piece) => pieces.push(piece));
  from.on("end", () => {
    const [, id] = /"Id":"([0-9a-f]{64})"/.exec(Buffer.concat(pieces).toString()) ?? [];
    if (id) execs.add(id);
    if (execs.size > MOST_EXECS) for (const oldest of execs) return void execs.delete(oldest);
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    size += piece.length;
    if (size > MOST_BYTES) throw new NotPermitted("The request is too large.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Node hands over the bare connection before it has read the body; what follows the body belongs to the stream. */
async function takeBody(message: IncomingMessage, socket: Duplex, head: Buffer) {
  const length = Number(message.headers["content-length"] ?? 0);
  if (!(length >= 0 && length <= MOST_BYTES)) throw new NotPermitted("The request is too large.");
  let taken = head;
  while (taken.length < length) {
    const piece: Buffer | null = socket.read();
    if (piece) taken = Buffer.concat([taken, piece]);
    else await once(socket, "readable");
    if (socket.destroyed || socket.readableEnded) throw new NotPermitted("The request was cut short.");
  }
  return { body: taken.subarray(0, length), rest: taken.subarray(length) };
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new NotPermitted("The request is not JSON.");
  }
}

function ask(engine: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: engine, path, headers: { host: "docker" } }, async (from) => {
      const pieces: Buffer[] = [];
      for await (const piece of from) pieces.push(piece);
      resolve({ status: from.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
    });
    sent.on("error", reject).end();
  });
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ message }));
}
