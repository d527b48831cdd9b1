import type Docker from "dockerode";
import { BOOTSTRAPPED, bootstrapDebian } from "./debian-bootstrap.ts";
import { engineEvents } from "./engine-events.ts";
import type { Proxies } from "./host-apt.ts";

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
    await pull(docker, options);
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
const FIRST_SIGN_MS = 8_000;
const SILENCE_MS = 60_000;

// A registry behind a firewall doesn't refuse, it keeps silent: the engine itself would wait for minutes.
async function pull(docker: Docker, { onProgress, signal }: BaseOptions): Promise<void> {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error("the registry stays silent"));
  let timer = setTimeout(giveUp, FIRST_SIGN_MS);
  const abortSignal = AbortSignal.any(signal ? [silence.signal, signal] : [silence.signal]);
  try {
    const stream = await docker.createImage({ fromImage: OFFICIAL, abortSignal });
    for await (const { error, status } of engineEvents(stream)) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENCE_MS);
      if (error) throw new Error(error);
      if (status) onProgress?.(status);
    }
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
