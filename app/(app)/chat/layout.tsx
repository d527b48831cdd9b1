import type { ReactNode } from "react";
import { ToolPresentations } from "#app/_chat/tool-presentations.tsx";
import { presentations } from "#mcp/tools/catalogue.ts";

export default function ChatLayout({ children }: { children: ReactNode }) {
  return <ToolPresentations tools={presentations()}>{children}</ToolPresentations>;
}
