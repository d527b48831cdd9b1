"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Presentations } from "./tool-view.ts";

const Context = createContext<Presentations>({});

/** What the tools say about themselves, from the server: the catalogue with its schemas stays out of the bundle. */
export function ToolPresentations({ tools, children }: { tools: Presentations; children: ReactNode }) {
  return <Context value={tools}>{children}</Context>;
}

export function usePresentations(): Presentations {
  return useContext(Context);
}
