// One check each. A finding says what was seen; a fix says what to do.
import { existsSync } from "node:fs";
import path from "node:path";
import { connect, pingDatabase } from "#db/client.ts";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import type { Env } from "#env.ts";
import { connectEngine, engineVersion } from "#sandbox/connect-engine.ts";
import { hasImage } from "#sandbox/debian-base.ts";
import { probeHardQuota } from "#sandbox/disk/probe-hard-quota.ts";
import { engineOf } from "#sandbox/engine.ts";
import { imageTag } from "#sandbox/image-tag.ts";
import { ensureDataDirectory } from "../data-directory.ts";
import { describeDatabaseFailure } from "../database-failure.ts";
import type { Finding } from "../doctor.ts";

export async function checkNode(): Promise<Finding> {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= 24) return { ok: true, says: process.version };
  return {
    ok: false,
    says: `${process.version} is too old.`,
    fix: "Install Node 24 or newer on this platform.",
  };
}

export async function checkDataDirectory({ COVE_DATA_DIR }: Env): Promise<Finding> {
  if (!existsSync(COVE_DATA_DIR)) return { ok: true, says: `${COVE_DATA_DIR} is made by \`npm start\`` };
  await ensureDataDirectory(COVE_DATA_DIR);
  return { ok: true, says: COVE_DATA_DIR };
}

export async function checkEngine({ DOCKER_HOST, DOCKER_CERT_PATH }: Env): Promise<Finding> {
  try {
    return { ok: true, says: `Docker ${await engineVersion(connectEngine(DOCKER_HOST, DOCKER_CERT_PATH))}` };
  } catch (error) {
    return {
      ok: false,
      says: messageOf(error),
      fix: "`npm start` installs and starts one as root on Debian.",
    };
  }
}

export async function checkImage(env: Env): Promise<Finding> {
  const tag = env.COVE_SANDBOX_IMAGE ?? imageTag();
  if (await hasImage(connectEngine(env.DOCKER_HOST, env.DOCKER_CERT_PATH), tag))
    return { ok: true, says: tag };
  return { ok: false, says: `${tag} is missing.`, fix: "`npm start` builds it." };
}

export async function checkDatabase({ DATABASE_URL, COVE_DATA_DIR }: Env): Promise<Finding> {
  const made = existsSync(COVE_DATA_DIR);
  const url = DATABASE_URL ?? (made ? await embeddedPostgresUrl(COVE_DATA_DIR) : undefined);
  if (!url) return { ok: true, says: "embedded Postgres, not running; `npm start` starts it" };
  const client = connect(url);
  try {
    await pingDatabase(client.db);
    return { ok: true, says: DATABASE_URL ? "the one in DATABASE_URL answers" : "embedded Postgres answers" };
  } catch (error) {
    return { ok: false, says: describeDatabaseFailure(error, url).message };
  } finally {
    await client.close();
  }
}

/** Tries it: only a real mount in a real container tells. */
export async function checkQuota(env: Env): Promise<Finding> {
  const docker = connectEngine(env.DOCKER_HOST, env.DOCKER_CERT_PATH);
  const image = env.COVE_SANDBOX_IMAGE ?? imageTag();
  if (!(await hasImage(docker, image))) return { ok: true, says: "is tried once the image is there" };
  const directory = path.join(env.COVE_DATA_DIR, "sandboxes", "disks");
  if (!existsSync(directory)) return { ok: true, says: "is tried at the first start" };
  const why = await probeHardQuota({ engine: engineOf(docker), image, installation: "doctor" }, directory);
  return { ok: true, says: why ? `soft. ${why}` : "hard" };
}

export async function checkEgress({ COVE_EGRESS, COVE_EGRESS_ALLOW }: Env): Promise<Finding> {
  const also = COVE_EGRESS_ALLOW.length ? `, and ${COVE_EGRESS_ALLOW.join(", ")}` : "";
  return { ok: true, says: `${COVE_EGRESS}${also}` };
}

export async function checkKeys(env: Env): Promise<Finding> {
  const names = ["GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;
  const set = names.filter((name) => env[name]);
  return {
    ok: true,
    says: set.length ? set.join(", ") : "no model; everything but the agent works without one",
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
