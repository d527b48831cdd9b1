// Python packages in the user's own environment on the workspace. The work is done by an ordinary command inside,
// so it is an execution like any other; its answer is read as untrusted.
import { SandboxError } from "../errors.ts";
import { list, type Message, object, oneOf, parseMessage, text, truth } from "../pipe/messages.ts";
import type { RunOptions, RunResult } from "../types.ts";
import { distributionOf } from "./missing-module.ts";
import { parseRequirements } from "./requirement.ts";

const PROGRAM = "exec /usr/bin/python3 -I /usr/lib/cove/cove_packages/__main__.py";
const MOST_PACKAGES = 5000;

export type InstallOptions = Omit<RunOptions, "cwd" | "stdin">;

/** `stderr` is what the installer said. `packages` is empty while the execution is running, or if it was cut short. */
export type InstallResult = RunResult & { packages: PackageOutcome[] };

export type PackageOutcome = {
  requested: string;
  name: string;
  outcome: "installed" | "present" | "failed";
  version?: string;
  /** Why it failed, in the installer's words. */
  reason?: string;
};

export type InstalledPackage = {
  name: string;
  version: string;
  /** The user's environment, what `pip install --user` left, or the image. */
  place: "environment" | "user" | "system";
};

export type PackageCheck = { requested: string; installed: boolean; name?: string; version?: string };

export type EnvironmentType = "venv" | "uv" | "conda";
export type PythonEnvironment = { name: string; type: EnvironmentType; path: string; active: boolean };

type Run = (command: string, options: RunOptions) => Promise<RunResult>;

const TYPES = ["venv", "uv", "conda"] as const;

export class SandboxPackages {
  #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Installs packages so that running sessions and commands can use them at once. A package that can't be had is a result. */
  async install(specs: readonly string[], options: InstallOptions = {}): Promise<InstallResult> {
    const stdin = JSON.stringify({ specs: parseRequirements(specs) });
    const { onOutput } = options;
    const result = await this.#run(`${PROGRAM} install`, {
      ...options,
      stdin,
      // The answer is no progress.
      ...(onOutput && { onOutput: (chunk) => (chunk.stream === "stderr" ? onOutput(chunk) : undefined) }),
    });
    return readInstall(result);
  }

  /** Everything that can be imported in the active environment. */
  async list(options: Pick<RunOptions, "signal"> = {}): Promise<InstalledPackage[]> {
    const answer = await this.#ask("list", {}, options);
    return list(answer, "packages", MOST_PACKAGES).map(installedPackage);
  }

  /** Whether these are installed, by the name of the package or of what is imported. */
  async check(names: readonly string[], options: Pick<RunOptions, "signal"> = {}): Promise<PackageCheck[]> {
    const byName = new Map((await this.list(options)).map((one) => [canonical(one.name), one]));
    return names.map((requested) => {
      const match =
        byName.get(canonical(requested)) ?? byName.get(canonical(distributionOf(requested) ?? ""));
      return {
        requested,
        installed: match !== undefined,
        ...(match && { name: match.name, version: match.version }),
      };
    });
  }

  async environments(): Promise<PythonEnvironment[]> {
    const answer = await this.#ask("environments", {});
    return list(answer, "environments", 100).map((value) => {
      const message = object(value, "environment");
      return { ...environment(message), active: truth(message, "active") };
    });
  }

  /** Makes an environment beside the others; `use` switches to it. */
  async make(name: string, type: EnvironmentType = "venv"): Promise<Omit<PythonEnvironment, "active">> {
    if (!TYPES.includes(type)) throw refuse(`There are environments of type ${TYPES.join(", ")}.`);
    return environment(await this.#ask("make", { name: requireName(name), type }));
  }

  /** From now on this is the one at /workspace/.venv: in commands at once, in sessions for what they import next. */
  async use(name: string): Promise<Omit<PythonEnvironment, "active">> {
    return environment(await this.#ask("use", { name: requireName(name) }));
  }

  async #ask(what: string, details: object, options: Pick<RunOptions, "signal"> = {}): Promise<Message> {
    const result = await this.#run(`${PROGRAM} ${what}`, { ...options, stdin: JSON.stringify(details) });
    const answer = readAnswer(result);
    if (answer) return answer;
    const lastLine = String(result.stderr).trim().split("\n").at(-1)?.slice(0, 300);
    throw new SandboxError(
      "io_error",
      `Python's packages could not be looked at (${lastLine || result.status}).`,
    );
  }
}

/** The outcome of an installation from its execution's result, for whoever followed it by `attach`. */
function readInstall(result: RunResult): InstallResult {
  const over = result.status === "completed" || result.status === "failed";
  const answer = over ? readAnswer(result) : undefined;
  return { ...result, packages: answer ? list(answer, "packages", 100).map(outcome) : [] };
}

function readAnswer({ stdout, truncated }: RunResult): Message | undefined {
  if (truncated || stdout.length === 0) return undefined;
  const answer = parseMessage(stdout);
  if (answer.refused !== undefined) throw refuse(text(answer, "refused", 1000));
  return answer;
}

function outcome(value: unknown): PackageOutcome {
  const message = object(value, "package");
  return {
    requested: text(message, "requested", 300),
    name: text(message, "name", 300),
    outcome: oneOf(message, "outcome", ["installed", "present", "failed"]),
    ...(typeof message.version === "string" && { version: text(message, "version", 300) }),
    ...(typeof message.reason === "string" && { reason: text(message, "reason", 1000) }),
  };
}

function installedPackage(value: unknown): InstalledPackage {
  const message = object(value, "package");
  return {
    name: text(message, "name", 300),
    version: text(message, "version", 300),
    place: oneOf(message, "place", ["environment", "user", "system"]),
  };
}

function environment(message: Message): Omit<PythonEnvironment, "active"> {
  return {
    name: text(message, "name", 256),
    type: oneOf(message, "type", TYPES),
    path: text(message, "path", 512),
  };
}

function requireName(name: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw refuse("An environment's name is made of letters, digits and -_. only, up to 64.");
  return name;
}

/** Names of packages are the same if they differ in case, dashes, dots and underscores only. */
function canonical(name: string): string {
  return name.replaceAll(/[-_.]+/g, "-").toLowerCase();
}

function refuse(message: string): SandboxError {
  return new SandboxError("invalid_argument", message);
}
