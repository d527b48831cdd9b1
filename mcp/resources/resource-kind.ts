// What can be read by address besides calling tools. A kind (`skill://…`, `artifact://…`) is handed in by whoever has the
// contents, for one caller; this is all the protocol needs to know of it.

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

export type ResourceContents = { mimeType: string } & ({ text: string } | { bytes: Buffer });
