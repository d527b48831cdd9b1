// Somebody outside who hears whatever reaches them: UDP and TCP on every address of this machine.
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";

export interface Eavesdropper {
  udpPort: number;
  tcpPort: number;
  /** Addresses of this machine that a browser on it reaches. */
  hosts: string[];
  /** What came since the last time this was called: `udp`, `tcp`, and the first line if there is one. */
  heard(): string[];
  close(): void;
}

export async function eavesdropper(): Promise<Eavesdropper> {
  const came: string[] = [];
  const udp = createSocket("udp4", (message) => came.push(`udp ${message.length} bytes`));
  const tcp = createServer((socket) => {
    came.push("tcp");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      came.push(`tcp ${bytes.toString("latin1").split("\r\n", 1)[0]}`);
      socket.end("HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => udp.bind(0, "0.0.0.0", resolve));
  await new Promise<void>((resolve) => tcp.listen(0, "0.0.0.0", resolve));
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  return {
    udpPort: udp.address().port,
    tcpPort: (tcp.address() as { port: number }).port,
    hosts: ["127.0.0.1", ...outside.slice(0, 1)],
    heard: () => came.splice(0),
    close: () => {
      udp.close();
      tcp.close();
    },
  };
}
