// Signed links: whoever has one may read one artifact until it expires, or until its owner revokes what was given out.
import { createHmac, timingSafeEqual } from "node:crypto";
import { revokeLinks as revokeLinkRows } from "#db/queries/artifact-changes.ts";
import type { ArtifactContent } from "#db/queries/artifacts.ts";
import { findArtifact, findLinkedArtifact } from "#db/queries/artifacts.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { deriveKey } from "../installation.ts";

/** What comes with every result: long enough for a client to fetch it, and for a person to look the next morning. */
export const RESULT_LINK_SECONDS = 24 * 3600;
export const MOST_LINK_SECONDS = 90 * 24 * 3600;

interface Linkable {
  id: string;
  name: string;
  linkEpoch: number;
}

/** Where the contents are, without any permission. */
export function artifactPath({ id, name }: Pick<Linkable, "id" | "name">): string {
  return `/artifacts/${id}/${encodeURIComponent(name)}`;
}

/** An absolute address that opens without signing in. */
export function signedUrl(artifact: Linkable, seconds = RESULT_LINK_SECONDS, now = Date.now()): string {
  const expires = Math.floor(now / 1000) + seconds;
  const signature = sign(artifact.id, artifact.linkEpoch, expires);
  return `${env().COVE_URL}${artifactPath(artifact)}?expires=${expires}&signature=${signature}`;
}

/** The same text with links that need an account: what is kept must not open anything. */
export function withoutSignatures(text: string): string {
  return text.replace(/\?expires=\d+&signature=[\w-]+/g, "");
}

export async function createLink(
  userId: string,
  id: string,
  seconds: number,
): Promise<{ url: string; expiresAt: Date }> {
  const artifact = await findArtifact(db(), userId, id);
  if (!artifact) throw noSuchArtifact();
  const now = Date.now();
  return {
    url: signedUrl(artifact, seconds, now),
    expiresAt: new Date((Math.floor(now / 1000) + seconds) * 1000),
  };
}

/** All that were ever given out for this one, the ones in results included. */
export async function revokeLinks(userId: string, id: string): Promise<void> {
  if ((await revokeLinkRows(db(), userId, id)) === undefined) throw noSuchArtifact();
}

/** What a link opens. Expired, revoked, made up and deleted look the same from outside. */
export async function followLink(
  id: string,
  link: { expires: number; signature: string },
  now = Date.now(),
): Promise<ArtifactContent> {
  const artifact = await findLinkedArtifact(db(), id);
  const right = artifact && sign(id, artifact.linkEpoch, link.expires);
  if (!artifact || !right || !same(right, link.signature) || link.expires * 1000 <= now) {
    throw new AppError("not_found", "This link has expired, was revoked, or never was one.");
  }
  return artifact;
}

export function noSuchArtifact(): AppError {
  return new AppError("not_found", "There is no such artifact.");
}

function sign(id: string, epoch: number, expires: number): string {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new AppError("unavailable", "Links can't be signed: start the server with `npm start`.");
  const key = deriveKey(secret, "cove artifact links");
  return createHmac("sha256", key).update(`${id}\n${epoch}\n${expires}`).digest("base64url");
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
