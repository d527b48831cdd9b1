import type Docker from "dockerode";
import { engineEvents } from "./engine-events.ts";

export type PullOptions = {
  firstSignMs?: number;
  silenceMs?: number;
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
};

/** Pulls an image, but gives up on a registry that stays silent: behind a firewall the engine would wait for minutes. */
export async function pullImage(docker: Docker, name: string, options: PullOptions = {}): Promise<void> {
  const { firstSignMs = 8_000, silenceMs = 60_000, onProgress, signal } = options;
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error("the registry stays silent"));
  let timer = setTimeout(giveUp, firstSignMs);
  const abortSignal = AbortSignal.any(signal ? [silence.signal, signal] : [silence.signal]);
  try {
    const stream = await docker.createImage({ fromImage: name, abortSignal });
    for await (const { error, status } of engineEvents(stream)) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMs);
      if (error) throw new Error(error);
      if (status) onProgress?.(status);
    }
  } catch (error) {
    throw abortSignal.aborted ? abortSignal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
