// The least a server of the usual kind does for a call: read the request, `docker exec`, answer. No tokens, no record.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type Docker from "dockerode";
import { dockerExec } from "./context.ts";

export async function minimalServer(docker: Docker, container: string) {
  const server = http.createServer(async (request, response) => {
    const { id, params } = (await json(request)) as {
      id: number;
      params: { arguments: { command: string } };
    };
    await dockerExec(docker, container, ["bash", "-c", params.arguments.command]);
    const result = { content: [{ type: "text", text: "" }] };
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
