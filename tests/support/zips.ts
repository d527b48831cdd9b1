// Zips for tests, the kind that no decent program makes included.
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { ZipFile } from "yazl";

export async function zipOf(files: Record<string, string | Buffer>, mode = 0o100_644): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(files)) zip.addBuffer(Buffer.from(data), name, { mode });
  zip.end();
  return buffer(zip.outputStream);
}

/** Plain files, and more that hold nothing and are of these kinds and modes. */
export async function withMode(
  plain: Record<string, string>,
  modes: Record<string, number>,
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(plain))
    zip.addBuffer(Buffer.from(data), name, { mode: 0o100_644 });
  for (const [name, mode] of Object.entries(modes)) zip.addBuffer(Buffer.alloc(0), name, { mode });
  zip.end();
  return buffer(zip.outputStream);
}

/** The same zip with other bytes wherever these stood; both have the same length. */
export function patched(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

export function skillMd(name: string, description = `What ${name} is for`, body = "# Do it\n"): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
}

/** What is in a zip, by name. */
export async function unzip(response: Response): Promise<Record<string, string>> {
  const archive = await fromBufferPromise(Buffer.from(await response.arrayBuffer()), {
    strictFileNames: false,
  });
  const found: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.endsWith("/"))
      found[entry.fileName] = (await buffer(await archive.openReadStreamPromise(entry))).toString();
  }
  return found;
}
