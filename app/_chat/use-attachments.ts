"use client";

import { useRef, useState } from "react";
import { sendFile } from "#app/_http/send-file.ts";

export interface Attachment {
  key: number;
  name: string;
  /** From 0 to 1. */
  progress: number;
  /** Where it is in the workspace, once it is there. */
  path?: string;
  problem?: string;
}

/** Files on their way into the workspace. They travel while the person still writes. */
export function useAttachments(conversationId: () => Promise<string>) {
  const [attachments, setAttachments] = useState<Attachment[]>([]);
  const uploads = useRef(new Map<number, AbortController>());
  const count = useRef(0);

  const change = (key: number, news: Partial<Attachment>) =>
    setAttachments((all) => all.map((each) => (each.key === key ? { ...each, ...news } : each)));

  const add = async (files: Iterable<File>) => {
    for (const file of files) {
      const key = count.current++;
      const controller = new AbortController();
      uploads.current.set(key, controller);
      setAttachments((all) => [...all, { key, name: file.name, progress: 0 }]);
      try {
        const id = await conversationId();
        const address = `/api/conversations/${id}/files?name=${encodeURIComponent(file.name)}`;
        const { path } = await sendFile<{ path: string }>(address, file, {
          method: "POST",
          signal: controller.signal,
          onProgress: (sentBytes) => change(key, { progress: file.size ? sentBytes / file.size : 0 }),
        });
        change(key, { path, progress: 1 });
      } catch (error) {
        change(key, { problem: (error as Error).message });
      }
    }
  };

  const remove = (key: number) => {
    uploads.current.get(key)?.abort();
    uploads.current.delete(key);
    setAttachments((all) => all.filter((each) => each.key !== key));
  };

  return {
    attachments,
    add,
    remove,
    clear: () => setAttachments([]),
    busy: attachments.some(({ path, problem }) => !path && !problem),
    paths: attachments.flatMap(({ path }) => (path ? [path] : [])),
  };
}
