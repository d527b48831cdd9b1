// What a Cove is made of, for tests that kill it.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import type { Cove } from "./cove.ts";

/** The first process of its embedded Postgres. */
export async function postmasterOf({ dataDir }: Pick<Cove, "dataDir">): Promise<number> {
  return Number.parseInt(
    await readFile(path.join(await clusterOf({ dataDir }), "postmaster.pid"), "utf8"),
    10,
  );
}

/** Where its embedded Postgres, which must be running, has its data. */
export async function clusterOf({ dataDir }: Pick<Cove, "dataDir">): Promise<string> {
  const url = new URL((await embeddedPostgresUrl(dataDir)) ?? "");
  return path.join(path.dirname(url.searchParams.get("host") ?? ""), "data");
}

/** The launcher's child: Postgres is nobody's. */
export async function serverOf({ process: { pid } }: Pick<Cove, "process">): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim() ? Number.parseInt(children, 10) : undefined;
}
