// An egress with both of its ends: clients on pairs of streams as the pipe gives them, sites on real sockets of loopback.

import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import type { Denial } from "#sandbox/egress/denial-log.ts";
import { type Egress, type EgressOptions, openEgress } from "#sandbox/egress/open-egress.ts";
import type { Address } from "#sandbox/egress/resolve.ts";

export type Answer = { head: string; body: string };

export const loopback: Address[] = [{ address: "127.0.0.1", family: 4 }];

const cleanups: (() => void)[] = [];

/** For `afterEach`. */
export function cleanUp(): void {
  for (const cleanup of cleanups.splice(0)) cleanup();
}

export function start(options: EgressOptions): Egress {
  const egress = openEgress(options);
  cleanups.push(() => egress.close());
  return egress;
}

export function serve(egress: Egress, userId = "user") {
  const [client, server] = duplexPair();
  const denied: Denial[] = [];
  client.on("error", () => undefined);
  const served = egress.serve(userId, server, { onDenied: (denial) => denied.push(denial) });
  // A pair doesn't tell one end that the other was destroyed, as a pipe does.
  server.once("close", () => client.destroy());
  client.once("close", () => server.destroy());
  return { client, served, denied };
}

export function open(options: EgressOptions) {
  return serve(start(options));
}

export async function ask(
  egress: Egress,
  bytes: string,
  userId?: string,
): Promise<Answer & { denied: Denial[] }> {
  const { client, served, denied } = serve(egress, userId);
  client.write(Buffer.from(bytes, "latin1"));
  const got = await answer(client);
  await served;
  return { ...got, denied };
}

export async function answer(client: Duplex): Promise<Answer> {
  let all = "";
  client.on("data", (chunk) => {
    all += chunk;
  });
  await Promise.race([once(client, "end"), once(client, "close")]);
  client.end();
  const at = all.indexOf("\r\n\r\n");
  return { head: all.slice(0, at + 2), body: all.slice(at + 4) };
}

export async function tcp(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listening(server);
}

export async function http(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener);
  cleanups.push(() => {
    server.closeAllConnections();
  });
  return listening(server);
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  cleanups.push(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  return port;
}
