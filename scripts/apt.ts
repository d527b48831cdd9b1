// Debian's packages, for root on a machine that has them.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const exec = promisify(execFile);

export async function canInstall(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release);
}

/** Recommended packages are left out unless asked for: a browser for tests needs no printer. */
export async function aptInstall(packages: string[], { recommended = false } = {}): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (args: string[]) => exec("apt-get", ["-y", ...args], { env, maxBuffer: 64 * 2 ** 20 });
  const install = () => apt(["install", ...(recommended ? [] : ["--no-install-recommends"]), ...packages]);
  try {
    // The lists may be missing or older than the mirror; without them nothing is found.
    await apt(["update"]);
    await install();
  } catch (cause) {
    const output = String((cause as { stderr?: string }).stderr ?? cause).trim();
    throw new Error(`apt-get could not install ${packages.join(", ")}:\n${output}`, { cause });
  }
}
