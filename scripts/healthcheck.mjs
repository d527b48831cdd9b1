// The images' health check: whether the server in this container says it is well, or an engine answers at a socket.
import { get } from "node:http";

const [socketPath] = process.argv.slice(2);
const asked = socketPath
  ? { socketPath, path: "/_ping" }
  : { host: "127.0.0.1", port: process.env.PORT, path: "/health" };
get(asked, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on("error", () => process.exit(1));
