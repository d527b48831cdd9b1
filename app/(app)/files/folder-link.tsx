"use client";

import type { ComponentProps } from "react";
import { pageAddress } from "./addresses.ts";

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
