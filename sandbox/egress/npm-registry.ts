// The registry that npm on this host installs from. Asking npm covers every file and variable it reads, and its built-in
// default, which is then the public registry wherever nobody configured another.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Registry, registryFromUrl } from "./registries.ts";

/** None where there is no npm, or none that answers. */
export async function npmRegistry(): Promise<Registry[]> {
  try {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], {
      timeout: 20_000,
      cwd: "/",
    });
    const registry = registryFromUrl(stdout.trim());
    return registry ? [registry] : [];
  } catch {
    // A server without npm has no registry of npm's to share; sandboxes then reach those that are configured.
    return [];
  }
}
