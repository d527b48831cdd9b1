// What a conversation is called: the beginning of its first message at once, then what the model makes of it.
import { generateText } from "ai";
import { replaceTitle } from "#db/queries/conversations.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import type { ChosenModel } from "../models/choose-model.ts";
import { modelProblem } from "../models/model-problem.ts";
import { NO_CONTENTS } from "../observe/in-stage.ts";
import { storable } from "./stored-message.ts";

const LONGEST = 60;
const PATIENCE_MS = 20_000;

export function firstTitle(text: string): string {
  const plain = text
    .replace(/^\s*(```|~~~)[\w+-]*/, "")
    .replace(/`/g, "")
    .replace(/^[\s>#*]+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return storable(shortened(plain)) || "New chat";
}

/** Better one way or the other; never in the way. A title somebody chose is left alone. */
export async function improveTitle(
  conversationId: string,
  first: { title: string; text: string },
  { model, provider }: ChosenModel,
): Promise<void> {
  try {
    const { text } = await generateText({
      model,
      instructions:
        "Answer with a title of two to six words for a conversation that begins with the message, in its language. No quotes.",
      prompt: first.text.slice(0, 2000),
      maxRetries: 0,
      telemetry: NO_CONTENTS,
      abortSignal: AbortSignal.timeout(PATIENCE_MS),
    });
    const title = shortened(
      text
        .replace(/["“”„`*#]/g, "")
        .replace(/\s+/g, " ")
        .replace(/[.\s]+$/, "")
        .trim(),
    );
    if (title) await replaceTitle(db(), conversationId, first.title, storable(title));
  } catch (err) {
    log().debug({ err: modelProblem(err, provider) }, "a conversation keeps its first title");
  }
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text.toWellFormed();
  const cut = text.slice(0, LONGEST);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 20 ? cut.lastIndexOf(" ") : LONGEST).toWellFormed()}…`;
}
