// Resources over the protocol: listed, described by templates, read by address.
import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import type { ResourceContents, ResourceKind } from "./resource-kind.ts";

const MOST_LISTED = 100;
const LONGEST_URI = 2000;

export function serveResources(server: Server, kinds: readonly ResourceKind[]): void {
  server.setRequestHandler("resources/list", async () => {
    const lists = await Promise.all(kinds.map((kind) => kind.list()));
    return { resources: lists.flatMap((list) => list.slice(0, MOST_LISTED)) };
  });

  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: kinds.map(({ template }) => template),
  }));

  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const kind = kinds.find(({ scheme }) => uri.startsWith(`${scheme}://`));
    const found = uri.length <= LONGEST_URI ? await kind?.read(uri) : undefined;
    if (!found) throw new ResourceNotFoundError(uri.slice(0, LONGEST_URI), "There is no such resource.");
    return { contents: [toContents(uri, found)] };
  });
}

function toContents(uri: string, found: ResourceContents) {
  const { mimeType } = found;
  return "text" in found
    ? { uri, mimeType, text: found.text }
    : { uri, mimeType, blob: found.bytes.toString("base64") };
}
