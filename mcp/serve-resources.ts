// What can be read by address besides calling tools: listed, described by templates, read. A kind (`skill://…`, `artifact://…`) is
// handed in by whoever has the contents, for one caller; its interface is all the protocol needs to know of it.
import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";

const MOST_LISTED = 100;
const LONGEST_URI = 2000;

export interface ResourceKind {
  /** What stands before `://`. */
  scheme: string;
  template: { uriTemplate: string; name: string; title: string; description: string; mimeType?: string };
  /** The caller's own, newest or most useful first; a hundred are shown. */
  list(): Promise<ResourceEntry[]>;
  /** Nothing when there is no such thing, or it is somebody else's. */
  read(uri: string): Promise<ResourceContents | undefined>;
}

interface ResourceEntry {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

type ResourceContents = { mimeType: string } & ({ text: string } | { bytes: Buffer });

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
