// A scripted model over real HTTP: OpenAI's chat completions under /v1, Gemini under /v1beta. The model's name is the name
// of its script. It can misbehave in every way a provider does. `node tests/support/model-server.ts <port>` runs it alone.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { geminiAnswer, geminiChunks, readGemini, WRONG_GOOGLE_KEY } from "./model-server/gemini.ts";
import { openAiAnswer, openAiChunks, readOpenAi } from "./model-server/openai.ts";
import { type Asked, BUILT_IN, type Reply, replyTo, type Script } from "./model-server/script.ts";

export type { Reply, Script };

export interface ModelServer {
  /** For OPENAI_BASE_URL and COVE_OPENAI_URL. */
  openai: string;
  /** For COVE_GEMINI_URL. */
  gemini: string;
  /** Any other key is refused. */
  key: string;
  /** Everything it was asked, in order. */
  asked: Asked[];
  script(name: string, ...steps: Script): void;
  /** How many answers are being given; a client that goes away ends its own. */
  open(): number;
  close(): Promise<void>;
}

export async function startModelServer({
  port = 0,
  key = "sk-scripted-key-0123",
} = {}): Promise<ModelServer> {
  const scripts = new Map(Object.entries(BUILT_IN));
  const asked: Asked[] = [];
  let open = 0;

  const server = createServer((request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
    });
    handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const given = request.headers["x-goog-api-key"] ?? request.headers.authorization?.replace(/^Bearer /, "");
    if (given !== key) {
      return pathname.startsWith("/v1beta")
        ? answer(response, 400, { error: WRONG_GOOGLE_KEY })
        : answer(response, 401, { error: { message: `Wrong key: ${given}`, type: "auth" } });
    }
    if (pathname === "/v1/models") {
      return answer(response, 200, { object: "list", data: names().map((id) => ({ id, object: "model" })) });
    }
    if (pathname === "/v1beta/models") {
      const supportedGenerationMethods = ["generateContent"];
      const models = names().map((name) => ({ name: `models/gemini-${name}`, supportedGenerationMethods }));
      return answer(response, 200, { models });
    }
    const body = JSON.parse(await text(request));
    if (pathname === "/v1/chat/completions") {
      const question = readOpenAi(body, request.headers);
      const reply = next(question, question.model);
      return tell(
        response,
        question,
        reply,
        openAiChunks(reply, question),
        openAiAnswer(reply, question),
        "[DONE]",
      );
    }
    const [, name, method] = /^\/v1beta\/models\/gemini-([^:]+):(\w+)$/.exec(pathname) ?? [];
    if (!name) return answer(response, 404, { error: { message: "Unknown." } });
    const question = readGemini(name, body, method === "streamGenerateContent", request.headers);
    const reply = next(question, name);
    return tell(response, question, reply, geminiChunks(reply), geminiAnswer(reply));
  }

  function next(question: Asked, name: string): Reply {
    asked.push(question);
    const script = scripts.get(name);
    return script ? replyTo(script, question) : { status: 404 };
  }

  const names = () => [...scripts.keys()];
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openai: `${url}/v1`,
    gemini: `${url}/v1beta`,
    key,
    asked,
    script: (name, ...steps) => void scripts.set(name, steps),
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function tell(
  response: ServerResponse,
  asked: Asked,
  reply: Reply,
  { pieces, end }: { pieces: unknown[]; end: unknown[] },
  whole: unknown,
  done?: string,
): Promise<void> {
  if (reply.status) {
    response.setHeaders(new Map(Object.entries(reply.headers ?? {})));
    return answer(response, reply.status, {
      error: reply.error ?? { message: `Scripted ${reply.status}`, code: reply.status },
    });
  }
  if (!asked.stream) return answer(response, 200, whole);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const piece of pieces) {
    if (reply.delayMs) await sleep(reply.delayMs);
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(piece)}\n\n`);
  }
  if (reply.breaks === "stall") return;
  if (reply.breaks === "cut") return void setTimeout(() => response.destroy(), 50);
  if (reply.breaks === "trail off") return void response.end();
  if (reply.breaks === "garbage") response.write("data: {not json\n\n");
  for (const piece of end) response.write(`data: ${JSON.stringify(piece)}\n\n`);
  response.end(done ? `data: ${done}\n\n` : undefined);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

if (import.meta.main) {
  const server = await startModelServer({ port: Number(process.argv[2] ?? 0) });
  console.log(JSON.stringify({ OPENAI_BASE_URL: server.openai, OPENAI_API_KEY: server.key }));
}
