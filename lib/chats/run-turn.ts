// Runs one turn in the server process, whoever watches: every chunk goes to the log for those attached and into the
// message, which is written to its row in batches, so that a crash loses moments and not the conversation.
import type { UIMessageChunk } from "ai";
import { measureConversation } from "#db/queries/conversations.ts";
import { type MessageChange, updateMessage } from "#db/queries/messages.ts";
import { withoutSignatures } from "../artifacts/links.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { loggedError } from "../logged-error.ts";
import type { ChatMessage, ChatMetadata } from "./chat-message.ts";
import { MessageParts } from "./message-parts.ts";
import { bodyOf, storable } from "./stored-message.ts";
import { TurnLog } from "./turn-log.ts";
import { keepTurn, releaseTurn, type Turn } from "./turns.ts";
import { writeInBatches } from "./write-in-batches.ts";

/** How the work ended; what the person is told of it. */
type Ending = Pick<ChatMetadata, "status" | "error" | "inputTokens" | "outputTokens">;
export type Work = (signal: AbortSignal, add: (chunk: UIMessageChunk) => void) => Promise<Ending>;

// More than any person reads, and little enough to be written again and again.
const MOST_CHARACTERS = 4_000_000;

export function runTurn(
  { userId, conversationId, message }: { userId: string; conversationId: string; message: ChatMessage },
  work: Work,
): Turn {
  const stopping = new AbortController();
  const assembled = new MessageParts();
  const told = new TurnLog();
  let metadata = message.metadata as ChatMetadata;
  let stoppedAs: "stopped" | "interrupted" = "stopped";
  let tooLong = false;
  const batches = writeInBatches(
    () => changeOf(assembled),
    (change) => updateMessage(db(), message.id, change),
  );

  const add = (chunk: UIMessageChunk) => {
    assembled.add(chunk);
    told.add(chunk);
    batches.touch();
    if (assembled.size > MOST_CHARACTERS && !tooLong) {
      tooLong = true;
      stopping.abort();
    }
  };

  const turn: Turn = {
    userId,
    conversationId,
    messageId: message.id,
    log: told,
    message: () => ({ ...message, parts: [...assembled.parts], metadata }),
    stop(as) {
      stoppedAs = as;
      stopping.abort();
    },
    ended: finish(),
  };
  keepTurn(turn);
  return turn;

  async function finish(): Promise<ChatMetadata> {
    // Whoever begins the turn keeps it first.
    await Promise.resolve();
    const ending = await work(stopping.signal, add).catch(failure);
    closeCalls(assembled, add);
    metadata = { ...metadata, ...ending };
    if (ending.status === "stopped" && stopping.signal.aborted) metadata.status = stoppedAs;
    if (tooLong) metadata.error = "Stopped: the answer grew too long.";
    await batches.end({
      status: metadata.status,
      error: metadata.error === undefined ? null : storable(metadata.error),
      inputTokens: metadata.inputTokens ?? null,
      outputTokens: metadata.outputTokens ?? null,
      finishedAt: new Date(),
    });
    await measureConversation(db(), conversationId).catch((err) =>
      log().warn({ err, conversationId }, "a conversation is measured with its next turn"),
    );
    releaseTurn(conversationId);
    told.end();
    return metadata;
  }
}

/** A call that never came to its end is told so, or a card would wait forever. */
function closeCalls(assembled: MessageParts, add: (chunk: UIMessageChunk) => void): void {
  for (const part of assembled.unfinished()) {
    const { toolCallId } = part;
    const printed = part.state === "output-available" ? (part.output as Record<string, unknown>) : undefined;
    add(
      printed
        ? {
            type: "tool-output-available",
            toolCallId,
            output: { ...printed, status: "cancelled" },
            dynamic: true,
          }
        : { type: "tool-output-error", toolCallId, errorText: "Stopped before it ran.", dynamic: true },
    );
  }
}

function failure(error: unknown): Ending {
  return { status: "failed", error: loggedError(error).message };
}

function changeOf({ parts }: MessageParts): MessageChange {
  return { parts: withoutSignatures(JSON.stringify(parts)), body: withoutSignatures(bodyOf(parts)) };
}
