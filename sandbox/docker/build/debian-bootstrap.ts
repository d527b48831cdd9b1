import { access, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { hostCommand } from "../disk/host-command.ts";
import type { BaseOptions } from "./debian-base.ts";
import { engineEvents } from "./engine-events.ts";

export const BOOTSTRAPPED = "cove-base:trixie";

/** Makes a Debian 13 base image from Debian's packages, for engines that reach no registry. Takes about half a minute. */
export async function bootstrapDebian(docker: Docker, options: BaseOptions): Promise<void> {
  await requireDebootstrap(options);
  const arch = (await docker.version()).Arch;
  // On disk and not in /tmp, which is often small and `nodev`.
  const root = await mkdtemp("/var/tmp/cove-base-");
  try {
    await debootstrap(root, arch, options);
    options.onProgress?.(`importing ${BOOTSTRAPPED}`);
    await importRoot(docker, root, options);
  } finally {
    // The kernel may still be ending the last of a stopped debootstrap's processes.
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

// In namespaces of its own, what debootstrap mounts and starts is gone as soon as it is, even when it is killed.
async function debootstrap(root: string, arch: string, options: BaseOptions): Promise<void> {
  const { mirror, proxies = {}, signal, onProgress } = options;
  const command = [
    "debootstrap",
    "--variant=minbase",
    `--arch=${arch}`,
    "trixie",
    root,
    ...(mirror ? [mirror] : []),
  ];
  await hostCommand("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...command], {
    ...(signal && { signal }),
    ...(onProgress && { onLine: onProgress }),
    ...(Object.keys(proxies).length > 0 && { env: proxies }),
  });
}

async function importRoot(docker: Docker, root: string, { signal }: BaseOptions): Promise<void> {
  const exclusions = UNWANTED.map((path) => `--exclude=./${path}/*`);
  await hostCommand("tar", ["-C", root, "--numeric-owner", "--one-file-system", ...exclusions, "-c", "."], {
    ...(signal && { signal }),
    onStdout: async (archive) => {
      const [repo, tag] = BOOTSTRAPPED.split(":");
      const stream = await docker.importImage(archive, { repo, tag, ...(signal && { abortSignal: signal }) });
      for await (const { error } of engineEvents(stream)) if (error) throw new Error(error);
    },
  });
}

const UNWANTED = [
  ..."dev proc sys tmp var/lib/apt/lists var/cache var/log".split(" "),
  ..."usr/share/doc usr/share/man usr/share/info usr/share/locale".split(" "),
];

async function requireDebootstrap({ signal, onProgress }: BaseOptions): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new Error(
      "making it from Debian's packages needs root. Start once as root, or hand the engine the image: `docker save debian:trixie-slim` where a registry answers, `docker load` here.",
    );
  }
  if ((await isInstalled("debootstrap")) && (await isInstalled("unshare"))) return;
  if (!(await isInstalled("apt-get"))) {
    throw new Error("making it from Debian's packages needs `debootstrap`: install it and start again.");
  }
  onProgress?.("installing debootstrap");
  const stop = signal && { signal };
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await hostCommand("apt-get", ["update", "-qq"], { ...stop, env });
  const packages = ["debootstrap", "debian-archive-keyring", "util-linux"];
  await hostCommand("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...packages], {
    ...stop,
    env,
  });
}

async function isInstalled(program: string): Promise<boolean> {
  const lookups = SEARCHED.map((dir) => access(join(dir, program)).then(() => true));
  return Promise.any(lookups).catch(() => false);
}

const SEARCHED = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"];
