// The second reference: a server that runs code the usual way. The MCP SDK's own handler and tool, an exec through dockerode
// for each call, its output given back. No tokens, no record, no limits, and a process of its own, as Cove's is.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { json, text } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import Docker from "dockerode";
import { z } from "zod";

const docker = new Docker();
const container = docker.getContainer(process.argv[2] ?? "");
const inputSchema = z.object({ command: z.string() });

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: "minimal", version: "1.0.0" });
    server.registerTool("execute_bash", { description: "Runs a command.", inputSchema }, ({ command }) =>
      execute(command),
    );
    return server;
  },
  { legacy: "stateless" },
);

async function execute(command: string) {
  const exec = await container.exec({ Cmd: ["bash", "-c", command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  docker.modem.demuxStream(stream, stdout, stderr);
  stream.once("end", () => {
    stdout.end();
    stderr.end();
  });
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  const { ExitCode } = await exec.inspect();
  const shown = `${out}${err}\nexit code ${ExitCode}`;
  return { content: [{ type: "text" as const, text: shown }], isError: ExitCode !== 0 };
}

const server = http.createServer(async (incoming, outgoing) => {
  const headers = new Headers(incoming.headers as Record<string, string>);
  const request = new Request(`http://localhost${incoming.url}`, { method: "POST", headers });
  const answer = await handler.fetch(request, { parsedBody: await json(incoming) });
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
// It goes when whoever started it does.
process.once("disconnect", () => process.exit());
