// One check each. A finding says what was seen; a fix says what to do.
import { existsSync } from "node:fs";
import path from "node:path";
import { connect, pingDatabase } from "#db/client.ts";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import type { Env } from "#env.ts";
import { hasImage } from "#sandbox/docker/build/debian-base.ts";
import { imageTag } from "#sandbox/docker/build/image-tag.ts";
import { connectEngine, EngineUnavailable, engineVersion } from "#sandbox/docker/connect-engine.ts";
import { probeHardQuota } from "#sandbox/docker/disk/probe-hard-quota.ts";
import { dockerClient } from "#sandbox/docker/docker-client.ts";
import { ensureDataDirectory } from "../data-directory.ts";
import { describeDatabaseFailure } from "../database-failure.ts";
import type { Finding } from "../doctor.ts";
import { missingModelKey } from "../model-key.ts";
import { requireImage, requireRuntime, requireUsableAllowlist } from "../sandbox-settings.ts";

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

export async function checkEngine(env: Env): Promise<Finding> {
  const engine = connectEngine(env.DOCKER_HOST, env.DOCKER_CERT_PATH);
  try {
    const version = await engineVersion(engine);
    await requireRuntime(engine, env);
    return { ok: true, says: `Docker ${version}` };
  } catch (error) {
    const fix = "`npm start` installs and starts one as root on Debian.";
    return { ok: false, says: messageOf(error), ...(error instanceof EngineUnavailable && { fix }) };
  }
}

export async function checkImage({
  DOCKER_HOST,
  DOCKER_CERT_PATH,
  COVE_SANDBOX_IMAGE,
}: Env): Promise<Finding> {
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  if (!(await answers(engine))) return WITHOUT_ENGINE;
  if (COVE_SANDBOX_IMAGE) {
    await requireImage(engine, COVE_SANDBOX_IMAGE);
    return { ok: true, says: COVE_SANDBOX_IMAGE };
  }
  const tag = imageTag();
  if (await hasImage(engine, tag)) return { ok: true, says: tag };
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
    const fix = DATABASE_URL ? undefined : `See postgres.log in ${COVE_DATA_DIR}/postgres.`;
    return { ok: false, says: describeDatabaseFailure(error, url).message, fix };
  } finally {
    await client.close();
  }
}

/** Tries it: only a real mount in a real container tells. */
export async function checkQuota(env: Env): Promise<Finding> {
  const docker = connectEngine(env.DOCKER_HOST, env.DOCKER_CERT_PATH);
  if (!(await answers(docker))) return WITHOUT_ENGINE;
  const image = env.COVE_SANDBOX_IMAGE ?? imageTag();
  if (!(await hasImage(docker, image))) return { ok: true, says: "is tried once the image is there" };
  const directory = path.join(env.COVE_DATA_DIR, "sandboxes", "disks");
  if (!existsSync(directory)) return { ok: true, says: "is tried at the first start" };
  const why = await probeHardQuota(
    { client: dockerClient(docker), image, installation: "doctor" },
    directory,
  );
  return { ok: true, says: why ? `soft. ${why}` : "hard" };
}

export async function checkEgress(env: Env): Promise<Finding> {
  const { COVE_EGRESS, COVE_EGRESS_ALLOW } = env;
  try {
    requireUsableAllowlist(env);
  } catch (error) {
    return { ok: false, says: messageOf(error), fix: "Correct it in the environment or in .env." };
  }
  const also = COVE_EGRESS_ALLOW.length ? `, and ${COVE_EGRESS_ALLOW.join(", ")}` : "";
  return { ok: true, says: `${COVE_EGRESS}${also}` };
}

export async function checkKeys(env: Env): Promise<Finding> {
  const missing = missingModelKey(env);
  if (missing) {
    const says = `COVE_MODEL is ${env.COVE_MODEL}, which only people with a key of their own can use.`;
    return { ok: false, says, fix: `Set ${missing}, or unset COVE_MODEL.` };
  }
  const names = ["GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;
  const set = names.filter((name) => env[name]);
  return {
    ok: true,
    says: set.length ? set.join(", ") : "no model; everything but the agent works without one",
  };
}

const WITHOUT_ENGINE: Finding = {
  ok: false,
  says: "can't be looked at without an engine.",
  fix: "Mend the engine first, see above.",
};

function answers(engine: ReturnType<typeof connectEngine>): Promise<boolean> {
  return engineVersion(engine).then(
    () => true,
    () => false,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
