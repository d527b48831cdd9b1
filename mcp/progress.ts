import type { Notification } from "@modelcontextprotocol/server";
import type { ToolContext } from "./tools/tool.ts";

/** Live output as progress notifications, for clients that asked for progress. */
export function reportProgress(
  progressToken: string | number | undefined,
  notify: (notification: Notification) => Promise<void>,
): ToolContext["onOutput"] {
  if (progressToken === undefined) return undefined;
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let progress = 0;
  return async ({ stream, data }) => {
    progress += data.length;
    const message = decoders[stream].decode(data, { stream: true });
    await notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
}
