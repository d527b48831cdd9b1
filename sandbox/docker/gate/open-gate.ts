// A unix socket that speaks the engine's API and passes on what `permit` allows, so that a server in a container needs no
// socket with which it could own the host. Requests are parsed here and written anew: what was checked is what is sent.
import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { installationCheck, NotThere } from "./installation-check.ts";
import { NotPermitted, type Permission, permit } from "./permit.ts";
import type { EngineRequest } from "./request-bodies.ts";

export interface GateOptions {
  /** Where to listen. */
  socket: string;
  /** The engine's own socket. */
  engine: string;
  image: string;
  /** The OCI runtime of the sandboxes, if it isn't the engine's own. */
  runtime?: string | undefined;
  /** Without it, the first that makes something through the gate. */
  installation?: string | undefined;
}

const MOST_BYTES = 2 ** 20;
// Started at once after they were made, so that the last few are enough.
const MOST_EXECS = 10_000;

export async function openGate(options: GateOptions): Promise<Server> {
  const { socket, engine, image, runtime } = options;
  const check = installationCheck(engine, options.installation);
  const execs = new Set<string>();

  async function admit(message: IncomingMessage, body: Buffer): Promise<{ path: string; body: Buffer }> {
    const [path = "", query] = (message.url ?? "").split("?", 2);
    const engineRequest: EngineRequest = {
      method: message.method ?? "",
      path,
      body: parse(body),
      image,
      runtime,
    };
    const parameters = neededParameters(query);
    const target = await targetOf(path, permit(engineRequest), parameters);
    // Serialised from what was checked: a second reading of the same bytes could differ.
    const checked =
      engineRequest.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(engineRequest.body));
    return { path: `${target}?${parameters}`, body: checked };
  }

  /** The path to send, once what it is about is known to be ours. */
  async function targetOf(path: string, permission: Permission, query: URLSearchParams): Promise<string> {
    if ("list" in permission) check.list(query.get("filters"));
    if ("volume" in permission) await check.volume(permission.volume);
    if ("installation" in permission) {
      check.makes(permission.installation);
      for (const volume of permission.volumes) await check.volume(volume);
    }
    if ("exec" in permission && !execs.has(permission.exec))
      throw new NotPermitted("This exec is not Cove's.");
    if (!("container" in permission)) return path;
    return path.replace(
      `/containers/${permission.container}`,
      `/containers/${await check.container(permission.container)}`,
    );
  }

  function forward(message: IncomingMessage, { path, body }: { path: string; body: Buffer }) {
    const headers: Record<string, string> = { host: "docker" };
    for (const name of ["upgrade", "connection"])
      if (message.headers.upgrade && message.headers[name]) headers[name] = String(message.headers[name]);
    if (body.length > 0 || message.method === "POST") {
      headers["content-type"] = "application/json";
      headers["content-length"] = String(body.length);
    }
    const outgoing = request({
      socketPath: engine,
      path,
      headers,
      ...(message.method && { method: message.method }),
    });
    outgoing.end(body);
    return outgoing;
  }

  async function pass(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    const outgoing = forward(message, await admit(message, await readBody(message)));
    answer.on("close", () => outgoing.destroy());
    outgoing.on("error", (error) => refuse(answer, 502, error.message));
    outgoing.on("response", (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      if (/\/exec$/.test(message.url?.split("?")[0] ?? "")) noteExec(from, execs);
      from.pipe(answer);
    });
  }

  async function upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { body, rest } = await takeBody(message, socket, head);
    const outgoing = forward(message, await admit(message, body));
    outgoing.on("error", () => socket.destroy());
    outgoing.on("response", (from) =>
      socket.end(`HTTP/1.1 ${from.statusCode} Refused\r\nconnection: close\r\n\r\n`),
    );
    outgoing.on("upgrade", (from, stream, first) => {
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
    pass(message, answer).catch((error) => refuse(answer, statusOf(error), error.message));
  });
  server.on("upgrade", (message, socket, head) => {
    socket.on("error", () => socket.destroy());
    upgrade(message, socket, head).catch((error) => {
      const body = JSON.stringify({ message: error.message });
      socket.end(
        `HTTP/1.1 ${statusOf(error)} Refused\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  });
  await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socket, resolve));
  // Whoever sees the folder may use it: it is a volume that the server and the gate share.
  await chmod(socket, 0o666);
  return server;
}

/** The client library repeats the whole body in the query; the engine needs these. */
function neededParameters(query = ""): URLSearchParams {
  const single = ["name", "t", "v", "force", "signal", "condition", "stream", "stdin", "stdout", "stderr"];
  const lists = ["all", "filters", "since", "until"];
  const parameters = [...new URLSearchParams(query)];
  return new URLSearchParams(parameters.filter(([name]) => [...single, ...lists].includes(name)));
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
  let bytes = head;
  while (bytes.length < length) {
    const piece: Buffer | null = socket.read();
    if (piece) bytes = Buffer.concat([bytes, piece]);
    else await once(socket, "readable");
    if (socket.destroyed || socket.readableEnded) throw new NotPermitted("The request was cut short.");
  }
  return { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new NotPermitted("The request is not JSON.");
  }
}

function statusOf(error: unknown): number {
  if (error instanceof NotPermitted) return 403;
  return error instanceof NotThere ? 404 : 502;
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  if (answer.headersSent) return void answer.destroy();
  answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ message }));
}
