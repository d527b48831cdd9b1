// The way to the Docker engine: an address in, a client out, and a sentence for each way it can fail.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Docker, { type DockerOptions } from "dockerode";

export const LOCAL_ENGINE = "unix:///var/run/docker.sock";

/** The first with private cgroup namespaces, without which a sandbox sees the host's cgroups: Docker 20.10. */
const OLDEST_API = [1, 41] as const;

/** `certificates` is a folder with ca.pem, cert.pem and key.pem; given one, a `tcp:` engine is spoken to over TLS only. */
export function connectEngine(address = LOCAL_ENGINE, certificates?: string): Docker {
  const url = new URL(address);
  // The client library would fill what is missing here from DOCKER_HOST, which may name another engine.
  const nothing = { socketPath: undefined, host: undefined, port: undefined, username: undefined };
  const nobody = { ca: undefined, cert: undefined, key: undefined };
  return new Docker({ ...nothing, ...nobody, ...wayTo(url, certificates) } as DockerOptions);
}

function wayTo(url: URL, certificates?: string): DockerOptions {
  const host = url.hostname;
  if (url.protocol === "unix:") return { socketPath: url.pathname, protocol: "http" };
  if (url.protocol === "ssh:")
    return { host, port: url.port || 22, protocol: "ssh", username: url.username || undefined };
  if (url.protocol !== "https:" && !certificates) return { host, port: url.port || 2375, protocol: "http" };
  return { host, port: url.port || 2376, protocol: "https", ...(certificates && readPair(certificates)) };
}

function readPair(folder: string): DockerOptions {
  const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((file) => readFileSync(join(folder, file)));
  return { ca, cert, key };
}

/** Resolves to the engine's version, or rejects with what to do about it. */
export async function engineVersion(engine: Docker): Promise<string> {
  const { Version, ApiVersion } = await engine.version().catch((cause) => {
    throw new EngineUnavailable(explain(cause), { cause });
  });
  if (isOlder(ApiVersion)) {
    throw new EngineUnavailable(`Docker ${Version} is too old: Cove needs 20.10 or newer.`);
  }
  return Version;
}

export class EngineUnavailable extends Error {
  override name = "EngineUnavailable";

  /** Nothing listens there at all, as opposed to an engine that refuses us. */
  get absent(): boolean {
    return ["ENOENT", "ECONNREFUSED"].includes(codeOf(this.cause));
  }
}

function isOlder(api: string): boolean {
  const [major = 0, minor = 0] = api.split(".").map(Number);
  return major < OLDEST_API[0] || (major === OLDEST_API[0] && minor < OLDEST_API[1]);
}

function explain(cause: unknown): string {
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  if (code === "EACCES") {
    return (
      "The Docker engine runs, but this user may not use it. " +
      "Add yourself to its group (sudo usermod -aG docker $USER), sign in again, and start once more."
    );
  }
  if (code === "ENOENT" || code === "ECONNREFUSED") return "No Docker engine answers.";
  if (NOT_TRUSTED.has(code)) {
    return `The Docker engine's certificate is not to be trusted (${message}): is ca.pem the authority that signed it?`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "The Docker engine's certificate is for another name: reach it by the name that the certificate holds.";
  }
  if (/ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA)/.test(code)) {
    return "The Docker engine refuses our certificate: is cert.pem signed by the authority that it trusts?";
  }
  if (/HTTP request to an HTTPS server/.test(message)) {
    return "The Docker engine answers over TLS only: set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH.";
  }
  return `The Docker engine does not answer: ${message}`;
}

const NOT_TRUSTED = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
