// Sites for sandboxes to reach: plain and TLS servers on loopback under names that only the test's egress knows.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";
import type { Lookup } from "#sandbox/egress/resolve.ts";

export type Site = { port: number; close: () => Promise<void> };
export type Certificate = { key: string; cert: string };

export async function site(listener: RequestListener, certificate?: Certificate): Promise<Site> {
  const server = certificate ? createHttpsServer(certificate, listener) : createHttpServer(listener);
  return listen(server);
}

export async function listen(server: Server): Promise<Site> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Names under .test lead to this machine, all others nowhere. */
export const testLookup: Lookup = async (host) => {
  if (host.endsWith(".test")) return [{ address: "127.0.0.1", family: 4 }];
  throw new Error(`${host} is not a name of this test.`);
};

/** A certificate that nobody trusts unless told to. */
export async function selfSigned(...names: string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "cove-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const subject = [
    "-subj",
    "/CN=cove test",
    "-addext",
    `subjectAltName=${names.map((name) => `DNS:${name}`)}`,
  ];
  await hostCommand("openssl", ["req", ...made, ...subject, "-keyout", key, "-out", cert]);
  const pair = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  await rm(folder, { recursive: true });
  return pair;
}
