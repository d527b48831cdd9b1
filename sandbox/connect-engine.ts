// The way to the Docker engine: an address in, a client out, and a sentence for each way it can fail.
import Docker from "dockerode";

export const LOCAL_ENGINE = "unix:///var/run/docker.sock";

export function connectEngine(address = LOCAL_ENGINE): Docker {
  const url = new URL(address);
  if (url.protocol === "unix:") return new Docker({ socketPath: url.pathname });
  const protocol = url.protocol === "https:" ? "https" : url.protocol === "ssh:" ? "ssh" : "http";
  return new Docker({
    host: url.hostname,
    port: url.port || 2375,
    protocol,
    username: url.username || undefined,
  });
}

/** Resolves to the engine's version, or rejects with what to do about it. */
export async function engineVersion(engine: Docker): Promise<string> {
  try {
    return (await engine.version()).Version;
  } catch (cause) {
    throw new EngineUnavailable(explain(cause), { cause });
  }
}

export class EngineUnavailable extends Error {
  override name = "EngineUnavailable";

  /** Nothing listens there at all, as opposed to an engine that refuses us. */
  get absent(): boolean {
    return ["ENOENT", "ECONNREFUSED"].includes(codeOf(this.cause));
  }
}

function explain(cause: unknown): string {
  switch (codeOf(cause)) {
    case "EACCES":
      return (
        "The Docker engine runs, but this user may not use it. " +
        "Add yourself to its group (sudo usermod -aG docker $USER), sign in again, and start once more."
      );
    case "ENOENT":
    case "ECONNREFUSED":
      return "No Docker engine answers.";
    default:
      return `The Docker engine does not answer: ${cause instanceof Error ? cause.message : cause}`;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
