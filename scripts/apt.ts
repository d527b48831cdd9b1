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
  const apt = (args: string[]) =>
    exec("apt-get", ["-y", "-o", "DPkg::Lock::Timeout=300", ...args], { env, maxBuffer: 64 * 2 ** 20 });
  try {
    // The lists may be missing or old. A source that doesn't answer, somebody else's say, need not matter: the install tells.
    await apt(["update"]).catch(() => undefined);
    await apt(["install", ...(recommended ? [] : ["--no-install-recommends"]), ...packages]);
  } catch (cause) {
    const output = String((cause as { stderr?: string }).stderr ?? cause).trim();
    throw new Error(`apt-get could not install ${packages.join(", ")}:\n${output}`, { cause });
  }
}
