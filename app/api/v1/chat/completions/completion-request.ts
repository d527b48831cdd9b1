// What OpenAI's clients send, as far as it means something here.
import type { ModelMessage, UserModelMessage } from "ai";
import { z } from "zod";

const text = z.string().max(2_000_000);
const textPart = z.object({ type: z.literal("text"), text });
// An address would be fetched by the server, and clients could point it anywhere; the picture itself is welcome.
const imagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({
    url: z
      .string()
      .regex(/^data:image\/(png|jpeg|gif|webp);base64,[\w+/=]+$/, "must be a data: URL of a picture"),
  }),
});
const words = z.union([text, z.array(textPart)]);

const message = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.enum(["system", "developer"]), content: words }),
    z.object({ role: z.literal("user"), content: z.union([text, z.array(z.union([textPart, imagePart]))]) }),
    z.object({ role: z.literal("assistant"), content: words.nullish() }),
  ],
  { error: "must be a system, developer, user or assistant message: Cove runs its own tools" },
);

const none = (what: string) =>
  z.array(z.unknown()).max(0, `are Cove's own and run on the server: leave ${what} out`).nullish();

/** Everything else that clients send is ignored, `user` above all: who is asking is said by the token. */
export const completionRequest = z.object({
  model: z.string().max(250),
  messages: z.array(message).min(1).max(2000),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.literal(1, "must be 1").nullish(),
  tools: none("tools"),
  functions: none("functions"),
});

export type CompletionRequest = z.infer<typeof completionRequest>;

export function settingsOf(request: CompletionRequest) {
  const { temperature, top_p, stop } = request;
  const most = request.max_completion_tokens ?? request.max_tokens;
  return {
    ...(typeof temperature === "number" && { temperature }),
    ...(typeof top_p === "number" && { topP: top_p }),
    ...(most && { maxOutputTokens: most }),
    ...(stop?.length && { stopSequences: typeof stop === "string" ? [stop] : stop }),
  };
}

/** System messages add to Cove's own instructions; the rest is the conversation. */
export function conversationOf(request: CompletionRequest): {
  instructions: string;
  messages: ModelMessage[];
} {
  const instructions: string[] = [];
  const messages: ModelMessage[] = [];
  for (const { role, content } of request.messages) {
    if (role === "user") messages.push({ role, content: userContent(content) });
    else if (role === "assistant") {
      const text = plain(content);
      if (text) messages.push({ role, content: text });
    } else instructions.push(plain(content));
  }
  return { instructions: instructions.join("\n\n"), messages };
}

type Words = z.infer<typeof words>;

function plain(content: Words | null | undefined): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("\n");
}

function userContent(content: string | (z.infer<typeof textPart> | z.infer<typeof imagePart>)[]) {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.type === "text") return { type: "text" as const, text: part.text };
    const [, mediaType = "", data = ""] = /^data:([^;]+);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    return { type: "file" as const, mediaType, data };
  }) satisfies UserModelMessage["content"];
}
