// Gemini's generateContent, as Google's server speaks it.
import type { Asked, Reply } from "./script.ts";
import { piecesOf } from "./script.ts";

interface Part {
  text?: string;
  functionCall?: unknown;
  functionResponse?: { response?: unknown };
  thoughtSignature?: string;
}
interface Content {
  role: string;
  parts: Part[];
}

export const SIGNATURE = "c2lnbmVkIHRob3VnaHQ=";

/** Google has no 401 for a key it doesn't know. */
export const WRONG_GOOGLE_KEY = {
  code: 400,
  message: "API key not valid. Please pass a valid API key.",
  status: "INVALID_ARGUMENT",
  details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
};

export function readGemini(
  model: string,
  body: Record<string, unknown>,
  stream: boolean,
  headers: Asked["headers"],
): Asked {
  const contents = (body.contents ?? []) as Content[];
  const last = contents.findLastIndex(({ role, parts }) => role === "user" && parts.some(({ text }) => text));
  const tools = (body.tools ?? []) as { functionDeclarations?: { name: string }[] }[];
  const system = (body.systemInstruction ?? { parts: [] }) as { parts: Part[] };
  return {
    model,
    question: (contents[last]?.parts ?? []).map(({ text }) => text ?? "").join("\n"),
    system: system.parts.map(({ text }) => text ?? "").join("\n"),
    results: contents
      .slice(last + 1)
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) =>
        functionResponse ? [JSON.stringify(functionResponse.response)] : [],
      ),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    stream,
    body,
    headers,
  };
}

export function geminiAnswer(reply: Reply): unknown {
  return chunk([{ text: piecesOf(reply).join("") }, ...calls(reply)], reply, true);
}

export function geminiChunks(reply: Reply): { pieces: unknown[]; end: unknown[] } {
  return {
    pieces: [
      ...piecesOf(reply).map((text) => chunk([{ text }], reply, false)),
      ...calls(reply).map((part) => chunk([part], reply, false)),
    ],
    end: [chunk([{ text: "" }], reply, true)],
  };
}

function calls({ calls = [] }: Reply): object[] {
  return calls.map(({ name, arguments: args }) => ({
    functionCall: { name, args },
    thoughtSignature: SIGNATURE,
  }));
}

function chunk(
  parts: object[],
  { finish = "STOP", usage = { input: 100, output: 10 } }: Reply,
  last: boolean,
) {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(last && { finishReason: finish }) }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  };
}
