// The registry that npm on this host installs from. Asking npm covers every file and variable it reads, and its built-in
// default, which is then the public registry wherever nobody configured another.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Logger, silentLogger } from "../logger.ts";
import { type Registry, registryFromUrl } from "./registries.ts";

/** None where there is no npm, or none that answers: sandboxes then reach only those that are configured. */
export async function npmRegistry(log: Logger = silentLogger, npm = "npm"): Promise<Registry[]> {
  const unknown = (details: object) => {
    log.warn(
      details,
      "npm on this host did not say where it installs from: npm in sandboxes may reach nothing.",
    );
    return [];
  };
  try {
    const command = ["config", "get", "registry"];
    const { stdout } = await promisify(execFile)(npm, command, { timeout: 20_000, cwd: "/" });
    const registry = registryFromUrl(stdout.trim());
    return registry ? [registry] : unknown({ said: stdout.slice(0, 200) });
  } catch (err) {
    return unknown({ err });
  }
}
