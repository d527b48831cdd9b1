import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Open to other users, unlike `mkdtemp`'s own: Postgres runs as a user of its own when we are root. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "cove-test-"));
  await chmod(directory, 0o755);
  return directory;
}
