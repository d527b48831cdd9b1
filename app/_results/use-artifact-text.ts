"use client";

import { useQuery } from "@tanstack/react-query";

/** The largest result a cell can have. */
export const MOST_RESULT_BYTES = 4 * 2 ** 20;

export interface ArtifactText {
  text: string;
  /** There is more than was asked for. */
  truncated: boolean;
}

/** The contents of an artifact, the first so many bytes of them, or why they can't be had. Nothing until they are here. */
export function useArtifactText(
  href: string,
  mostBytes: number,
): ArtifactText | { problem: string } | undefined {
  const { data } = useQuery({
    queryKey: ["artifact text", href, mostBytes],
    queryFn: ({ signal }) =>
      fetchText(href, mostBytes, signal).catch((): { problem: string } => ({
        problem: "It could not be loaded. Check the connection and reload.",
      })),
  });
  return data;
}

async function fetchText(href: string, mostBytes: number, signal: AbortSignal) {
  const answer = await fetch(href, { signal, headers: { range: `bytes=0-${mostBytes - 1}` } });
  if (answer.status === 404) return { problem: "Its artifact was deleted." };
  if (answer.status === 410) return { problem: "Its contents are lost from the server's disk." };
  // An empty file has no first byte.
  if (answer.status === 416) return { text: "", truncated: false };
  if (!answer.ok) return { problem: "It could not be loaded. Reload to try again." };
  const [, whole = ""] = answer.headers.get("content-range")?.split("/") ?? [];
  const truncated = Number(whole) > mostBytes;
  // A character that was cut in two is left out rather than shown broken.
  const text = new TextDecoder().decode(await answer.arrayBuffer(), { stream: truncated });
  return { text, truncated };
}
