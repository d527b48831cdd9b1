"use client";

import { useCallback, useState } from "react";
import { displayName, joinPath, nameOf } from "#lib/files/workspace-path.ts";
import { DeleteDialog, NameDialog, type Question } from "./dialogs.tsx";
import { DiskMeter, useDiskUse } from "./disk-meter.tsx";
import { DropZone } from "./drop-zone.tsx";
import type { Dropped } from "./dropped-files.ts";
import { FolderTree } from "./folder-tree.tsx";
import { FolderView } from "./folder-view.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { OpenFile } from "./open-file.tsx";
import { usePlace } from "./place.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import { usePulse } from "./use-pulse.ts";
import { useUploads } from "./use-uploads.ts";

/** The live workspace: folders on the left, on the right a folder or a file of it. */
export function Files() {
  const { folder, file, go } = usePlace();
  const { beat, touch } = usePulse();
  const disk = useDiskUse(beat);
  const uploads = useUploads(disk && disk.totalBytes - disk.usedBytes, touch);
  const [hidden, setHidden] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const close = useCallback(() => setQuestion(undefined), []);
  const upload = (dropped: Dropped) => uploads.add(folder, dropped);
  const here = folder ? displayName(nameOf(folder)) : "workspace";

  return (
    <div className="flex h-[calc(100dvh-3rem)] flex-col md:h-dvh">
      <header className="flex min-h-12 items-center border-b px-4 md:px-6">
        <h1 className="font-semibold text-[15px]">Files</h1>
      </header>
      <div className="flex min-h-0 flex-1">
        <div className="flex w-60 shrink-0 flex-col border-r max-lg:hidden">
          <div className="min-h-0 flex-1 overflow-y-auto p-2">
            <FolderTree current={folder} beat={beat} hidden={hidden} />
          </div>
          <div className="border-t px-4 py-3">
            <DiskMeter use={disk} />
          </div>
        </div>
        <DropZone into={here} onFiles={upload}>
          {file ? (
            <OpenFile
              key={joinPath(folder, file)}
              folder={folder}
              file={file}
              beat={beat}
              touch={touch}
              onClose={() => go(folder)}
            />
          ) : (
            <FolderView
              key={folder}
              folder={folder}
              beat={beat}
              hidden={hidden}
              onHidden={() => setHidden(!hidden)}
              onRefresh={touch}
              onFiles={upload}
              ask={setQuestion}
            />
          )}
          <div className="border-t px-4 py-2 lg:hidden">
            <DiskMeter use={disk} />
          </div>
        </DropZone>
      </div>
      <UploadPanel {...uploads} />
      {question && (
        <Ask
          question={question}
          folder={folder}
          close={close}
          onDone={touch}
          onMade={(name) => go(folder, name)}
        />
      )}
    </div>
  );
}

function Ask({
  question,
  folder,
  close,
  onDone,
  onMade,
}: {
  question: Question;
  folder: string;
  close: () => void;
  onDone: () => void;
  /** A new file is opened at once. */
  onMade: (name: string) => void;
}) {
  const props = { folder, onClose: close, onDone };
  if (question.kind === "move") return <MoveDialog {...props} entries={question.entries} />;
  if (question.kind === "delete") return <DeleteDialog {...props} entries={question.entries} />;
  return (
    <NameDialog
      {...props}
      kind={question.kind}
      {...(question.kind === "rename" && { entry: question.entry })}
      onDone={(made) => {
        onDone();
        if (made?.kind === "file") onMade(made.name);
      }}
    />
  );
}
