// The server process, `node front/main.ts`: Next behind the front. `scripts/server.ts` starts it.
import { Server } from "node:http";
import path from "node:path";
import next from "next";
import { env } from "#env.ts";
import { log } from "#lib/log.ts";
import { defaultLimits } from "./limits.ts";
import { trustedProxies } from "./name-client.ts";
import { openFront } from "./open-front.ts";

const { PORT, COVE_LISTEN, COVE_TRUSTED_PROXIES, development } = env();
// Next listens for upgrades on the server it is told of, and for all of them. This one is never opened: the front passes on
// what is Next's, which is hot reload.
const upgrades = new Server();
const app = next({
  dir: path.resolve(import.meta.dirname, ".."),
  dev: development,
  port: PORT,
  httpServer: upgrades,
});
await app.prepare();

const server = openFront({
  handle: app.getRequestHandler(),
  upgrade: development ? (...upgrade) => void upgrades.emit("upgrade", ...upgrade) : undefined,
  limits: defaultLimits(),
  isTrusted: trustedProxies(COVE_TRUSTED_PROXIES),
  warn: (about, sentence) => log().warn(about, sentence),
});
server.on("error", (err) => {
  log().fatal({ err }, `The server can't listen: ${err.message}`);
  process.exit(1);
});
server.listen(PORT, COVE_LISTEN);
