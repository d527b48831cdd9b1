"use client";

import { useSearchParams } from "next/navigation";
import type { ComponentProps } from "react";
import { useCallback } from "react";
import { isWorkspacePath, pathFromText } from "#lib/files/workspace-path.ts";
import { pageAddress } from "./addresses.ts";

export interface Place {
  folder: string;
  /** The name of the file that is open in it. */
  file?: string;
}

/** Where one is, kept in the address. Going elsewhere asks the server for no page. */
export function usePlace(): Place & { go: (folder: string, file?: string) => void } {
  const search = useSearchParams();
  const folder = pathFromText(search.get("path") ?? "");
  const file = pathFromText(search.get("file") ?? "");
  const go = useCallback((to: string, name?: string) => {
    window.history.pushState(null, "", pageAddress(to, name));
  }, []);
  return {
    folder: isWorkspacePath(folder) ? folder : "",
    ...(file && isWorkspacePath(file) && { file }),
    go,
  };
}

/** A link to a folder or a file of it that opens in place, and in a new tab like any other link. */
export function FolderLink({
  folder,
  file,
  ...rest
}: { folder: string; file?: string } & Omit<ComponentProps<"a">, "href" | "onClick">) {
  return (
    <a
      {...rest}
      href={pageAddress(folder, file)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        window.history.pushState(null, "", pageAddress(folder, file));
      }}
    />
  );
}
