import type Docker from "dockerode";
import { BOOTSTRAPPED, bootstrapDebian } from "./debian-bootstrap.ts";
import type { Proxies } from "./host-apt.ts";
import { pullImage } from "./pull-image.ts";

export type BaseOptions = {
  mirror?: string;
  proxies?: Proxies;
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
};

/** Names an image with Debian 13 in it: one the engine has, the registry's, or one made from Debian's packages. */
export async function debianBase(docker: Docker, options: BaseOptions = {}): Promise<string> {
  if (await hasImage(docker, OFFICIAL)) return OFFICIAL;
  if (await hasImage(docker, BOOTSTRAPPED)) return BOOTSTRAPPED;
  try {
    await pullImage(docker, OFFICIAL, options);
    return OFFICIAL;
  } catch (refused) {
    options.signal?.throwIfAborted();
    options.onProgress?.(`no ${OFFICIAL} from a registry, so Debian's packages make the base`);
    await bootstrapDebian(docker, options).catch((error: Error) => {
      options.signal?.throwIfAborted();
      const cause = refused instanceof Error ? refused.message : String(refused);
      throw new Error(`No ${OFFICIAL} could be pulled (${cause}), and ${error.message}`, { cause: error });
    });
    return BOOTSTRAPPED;
  }
}

export async function hasImage(docker: Docker, name: string): Promise<boolean> {
  try {
    await docker.getImage(name).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

const OFFICIAL = "debian:trixie-slim";
