// The operator's own certificates, as files that sandboxes see: those alone, and together with the public ones.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";

/** Writes the files into `folder` and returns whether there is anything to trust that isn't public anyway. */
export async function writeTrustFiles(folder: string, ca = ""): Promise<boolean> {
  const files = trustFiles(ca);
  if (!files) return false;
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeIfChanged(join(folder, name), text);
  return true;
}

/** Only certificates are taken from `ca`, whatever else the file holds. */
export function trustFiles(ca: string): Record<"extra.pem" | "all.pem", string> | undefined {
  const publicOnes = new Set(rootCertificates.flatMap(certificates));
  const extra = [...new Set(certificates(ca))].filter((certificate) => !publicOnes.has(certificate));
  if (extra.length === 0) return undefined;
  return { "extra.pem": extra.join(""), "all.pem": [...publicOnes, ...extra].join("") };
}

/** Each in the one spelling that others are compared with: lines may be of any length. */
function certificates(text: string): string[] {
  const matches = text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g);
  return [...matches].map(([, body = ""]) => {
    const lines = body.replace(/\s/g, "").match(/.{1,64}/g) ?? [];
    return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
  });
}

/** What didn't change keeps its time, by which the shared volume knows what to fill again. */
async function writeIfChanged(path: string, text: string): Promise<void> {
  const there = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there !== text) await writeFile(path, text);
}
