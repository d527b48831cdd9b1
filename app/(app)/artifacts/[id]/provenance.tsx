import { MessageSquare } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "#app/_code/code-block.tsx";
import { buttonClass } from "#app/_components/button.tsx";
import { When } from "#app/_components/time-ago.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import type { OpenedArtifact } from "#lib/artifacts/open-artifact.ts";
import { doorLabel } from "../../history/labels.ts";
import { toolLabel } from "../../history/tool-labels.ts";
import { RunAgain } from "./actions.tsx";

/** Where it comes from: the code, the door, the chat, the image. */
export function ProvenancePanel({ artifact }: { artifact: OpenedArtifact }) {
  const { execution, conversation, image, door } = artifact.provenance;
  return (
    <section aria-labelledby="provenance" className="grid min-w-0 grid-cols-1 gap-3">
      <h3 id="provenance" className="font-medium text-sm">
        Where it comes from
      </h3>
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-[13px]">
        <Fact name="Door">{doorLabel(door)}</Fact>
        {conversation && (
          <Fact name="Conversation">
            <Link href={`/chat/${conversation.id}`} className="text-accent hover:underline">
              {conversation.title || "Untitled chat"}
            </Link>
          </Fact>
        )}
        {execution && (
          <Fact name="Run">
            <Link href={`/history/${execution.id}`} className="text-accent hover:underline">
              {toolLabel(execution.tool)}
            </Link>
            , <When at={execution.createdAt.toISOString()} />
          </Fact>
        )}
        {execution && (
          <Fact name="Outcome">
            <StatusBadge status={execution.status} />
          </Fact>
        )}
        {execution?.session && <Fact name="Session">{execution.session}</Fact>}
        {image && (
          <Fact name="Image">
            <span title={image}>{image}</span>
          </Fact>
        )}
      </dl>
      {execution ? (
        <CodeBlock code={execution.code} language={execution.language} />
      ) : (
        <p className="text-muted text-sm">The run that made it was deleted from the history.</p>
      )}
      <div className="flex flex-wrap gap-2">
        {execution && <RunAgain id={execution.id} />}
        <Link
          href={`/chat?draft=${encodeURIComponent(`Have a look at ${placeOf(artifact)} and `)}`}
          className={buttonClass({ size: "small" })}
        >
          <MessageSquare className="size-3.5" aria-hidden /> Continue in chat
        </Link>
      </div>
    </section>
  );
}

/** Where an agent finds it: what a cell showed is no file of the workspace. */
function placeOf({ id, source, path, name }: OpenedArtifact): string {
  return source === "file" ? path : `${name} (get_artifact ${id})`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}
