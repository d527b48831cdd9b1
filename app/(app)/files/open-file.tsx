"use client";

import { Download, FileX, LoaderCircle, Save, X } from "lucide-react";
import { useEffect } from "react";
import { languageOfFile } from "#app/_code/languages.ts";
import { Button, buttonClass, IconButton } from "#app/_components/button.tsx";
import { fileIcon } from "#app/_components/file-icon.tsx";
import { EmptyState } from "#app/_components/page.tsx";
import { Editor } from "#app/_editor/editor.tsx";
import type { Refusal } from "#app/_http/ask.ts";
import { displayName, joinPath } from "#lib/files/workspace-path.ts";
import { contentAddress, imageAddress } from "./addresses.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { Conflict } from "./conflict.tsx";
import type { Beat } from "./use-pulse.ts";
import { useTextFile } from "./use-text-file.ts";

interface Props {
  folder: string;
  file: string;
  beat: Beat;
  touch: () => void;
  onClose: () => void;
}

export function OpenFile(props: Props) {
  return /\.(png|jpe?g|gif|webp)$/i.test(props.file) ? <OpenImage {...props} /> : <OpenText {...props} />;
}

function OpenText({ folder, file, beat, touch, onClose }: Props) {
  const path = joinPath(folder, file);
  const { draft, isDirty, isSaving, problem, conflict, edit, save, reload } = useTextFile(path, beat, touch);
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);

  return (
    <>
      <Bar folder={folder} file={file} onClose={onClose}>
        {draft && (
          <>
            <span className="text-muted text-xs max-sm:sr-only" aria-live="polite">
              {isSaving ? "Saving…" : isDirty ? "Unsaved changes" : "Saved"}
            </span>
            <Button look="primary" size="small" onClick={() => save()} disabled={!isDirty || isSaving}>
              <Save className="size-3.5" aria-hidden /> Save
            </Button>
          </>
        )}
      </Bar>
      {conflict && <Conflict kind={conflict} onReload={reload} onOverwrite={() => save("overwrite")} />}
      {draft && problem && (
        <p role="alert" className="border-b bg-danger-soft px-4 py-2 text-danger text-sm">
          {displayName(problem.message)}
        </p>
      )}
      {draft ? (
        <Editor
          label={`Text of ${displayName(file)}`}
          value={draft.text}
          onChange={edit}
          onSave={() => void save()}
          language={languageOfFile(file)}
          hasLineNumbers
          className="min-h-0 flex-1 overflow-auto [&_.cm-editor]:min-h-full"
        />
      ) : (
        <NoText file={file} path={path} problem={problem} />
      )}
    </>
  );
}

function OpenImage({ folder, file, beat, onClose }: Props) {
  const path = joinPath(folder, file);
  return (
    <>
      <Bar folder={folder} file={file} onClose={onClose} />
      <div className="grid min-h-0 flex-1 place-items-center overflow-auto bg-sunken p-4">
        {/* biome-ignore lint/performance/noImgElement: it comes straight from the sandbox, as it is now. */}
        <img
          src={imageAddress(path, String(beat.count))}
          alt={displayName(file)}
          className="max-h-full max-w-full rounded border bg-[repeating-conic-gradient(var(--hover)_0_25%,var(--surface)_0_50%)] bg-[length:16px_16px] object-contain"
        />
      </div>
    </>
  );
}

function Bar({
  folder,
  file,
  onClose,
  children,
}: Pick<Props, "folder" | "file" | "onClose"> & { children?: React.ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-1.5 border-b px-2 md:px-4">
      <Breadcrumbs folder={folder} file={file} />
      {children}
      <a
        href={contentAddress(joinPath(folder, file))}
        download
        aria-label="Download"
        title="Download"
        className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:size-9"
      >
        <Download className="size-3.5" aria-hidden />
      </a>
      <IconButton icon={X} label="Close the file" onClick={onClose} />
    </div>
  );
}

function NoText({ file, path, problem }: { file: string; path: string; problem?: Refusal }) {
  if (!problem) {
    return (
      <output className="m-auto flex items-center gap-2 text-muted text-sm">
        <LoaderCircle className="size-4 animate-spin" aria-hidden /> Opening…
      </output>
    );
  }
  const gone = problem.status === 404;
  return (
    <EmptyState
      icon={gone ? FileX : fileIcon(file)}
      title={gone ? "This file is not here any more" : displayName(file)}
      action={
        !gone && (
          <a href={contentAddress(path)} download className={buttonClass()}>
            <Download className="size-4" aria-hidden /> Download
          </a>
        )
      }
    >
      {problem.status === 413
        ? "This file is too large to be opened here. Download it to look at it elsewhere."
        : displayName(problem.message)}
    </EmptyState>
  );
}
