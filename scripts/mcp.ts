// `npm run -s mcp`: MCP over stdio for clients that start a command. Every message is relayed to the running server's
// /api/mcp; stdout carries the protocol and nothing else.
import path from "node:path";
import { createInterface } from "node:readline";
import { env } from "#env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { relay } from "./mcp/relay.ts";
import { fail } from "./steps.ts";

try {
  loadDotEnv(path.resolve(import.meta.dirname, ".."));
  const { COVE_URL, COVE_TOKEN } = env();
  if (!COVE_TOKEN) throw new Error("COVE_TOKEN must be set: make one under Settings → API tokens.");
  const answers = await fetch(`${COVE_URL}/health`).then(
    () => true,
    () => false,
  );
  if (!answers)
    throw new Error(`No Cove answers at ${COVE_URL}. Start it with \`npm start\`, or set COVE_URL.`);
  const write = (message: string) => void process.stdout.write(`${message}\n`);
  const forward = relay({ url: `${COVE_URL}/api/mcp`, token: COVE_TOKEN, write });
  for await (const line of createInterface({ input: process.stdin })) if (line.trim()) forward(line);
} catch (error) {
  fail(error);
}
