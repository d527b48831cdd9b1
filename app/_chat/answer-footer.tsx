import { CircleAlert, CircleSlash, RotateCcw } from "lucide-react";
import { Button, IconButton } from "#app/_components/button.tsx";
import { IconCopy } from "#app/_components/copy-button.tsx";
import type { ChatMessage } from "#lib/chats/chat-message.ts";
import { messageText } from "./message-text.ts";

/** How an answer ended, and what one can do with it. */
export function AnswerFooter({
  message,
  last,
  onRegenerate,
}: {
  message: ChatMessage;
  last: boolean;
  onRegenerate: () => void;
}) {
  const { status, error, model, inputTokens, outputTokens } = message.metadata ?? {};
  const text = messageText(message);
  return (
    <>
      {status === "failed" && (
        <div
          role="alert"
          className="my-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-danger-soft px-3 py-2 text-danger text-sm"
        >
          <CircleAlert className="size-4 shrink-0" aria-hidden />
          <span className="min-w-0 flex-1 break-words">{error ?? "The answer could not be completed."}</span>
          {last && (
            <Button size="small" onClick={onRegenerate}>
              Try again
            </Button>
          )}
        </div>
      )}
      {status === "stopped" && <Note>{error ?? "You stopped this answer."}</Note>}
      {status === "interrupted" && (
        <Note>
          The server was restarted in the middle of this answer. What it had done until then is above.
        </Note>
      )}
      <footer className="mt-1 -ml-1.5 flex min-h-7 items-center gap-0.5 text-muted text-xs">
        {text && <IconCopy text={text} label="Copy answer" />}
        {last && <IconButton icon={RotateCcw} label="Answer again" onClick={onRegenerate} />}
        {model && (
          <span className="ml-1.5 truncate">
            {model}
            {outputTokens !== undefined &&
              ` · ${((inputTokens ?? 0) + outputTokens).toLocaleString("en")} tokens`}
          </span>
        )}
      </footer>
    </>
  );
}

function Note({ children }: { children: string }) {
  return (
    <p className="my-2 flex items-center gap-2 text-muted text-sm">
      <CircleSlash className="size-3.5 shrink-0" aria-hidden />
      {children}
    </p>
  );
}
