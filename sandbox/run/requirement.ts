// What may be installed: a package by name, with extras and versions, or a wheel in the workspace. Whatever else an
// installer would take (options, URLs, paths elsewhere) is refused with a sentence.
import { posix } from "node:path";
import { SandboxError } from "../errors.ts";

export type Requirement = {
  requested: string;
  /** The distribution's name. */
  name: string;
  /** What the installer is given. */
  install: string;
};

const MOST = 100;
const LONGEST = 256;
const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const VERSION = "(?:===|~=|==|!=|<=|>=|<|>)\\s*[A-Za-z0-9.*+!_-]+";
const requirement = new RegExp(
  `^(${NAME})\\s*(\\[\\s*${NAME}(?:\\s*,\\s*${NAME})*\\s*\\])?\\s*(${VERSION}(?:\\s*,\\s*${VERSION})*)?$`,
);
const wheel = new RegExp(`^(${NAME})-[A-Za-z0-9.+!_]+(?:-[A-Za-z0-9._]+){3,4}\\.whl$`);

export function parseRequirements(specs: readonly string[]): Requirement[] {
  if (specs.length === 0) throw refuse("Name at least one package to install.");
  if (specs.length > MOST) throw refuse(`At most ${MOST} packages can be installed at once.`);
  return specs.map(parseRequirement);
}

export function parseRequirement(spec: string): Requirement {
  const text = spec.trim();
  const shown = JSON.stringify(text.slice(0, 80));
  if (text === "" || text.length > LONGEST) throw refuse(`${shown} is not the name of a package.`);
  if (text.startsWith("-"))
    throw refuse(`${shown} is an option of the installer: only packages can be named here.`);
  if (/:\/\/|^git\+|\s@\s|@\s*(?:https?|file):/i.test(text))
    throw refuse(`${shown} is a URL: name the package, or put its wheel into the workspace and name that.`);
  if (text.endsWith(".whl")) return parseWheel(text, shown);
  if (text.includes(";"))
    throw refuse(
      `${shown} has an environment marker or a semicolon: name just the package and its versions.`,
    );
  if (text.includes("/"))
    throw refuse(`${shown} is a path: of the workspace's files only wheels (.whl) can be installed.`);
  const match = requirement.exec(text);
  if (!match)
    throw refuse(
      `${shown} is not a package: write a name, such as "pandas", "pandas[excel]" or "pandas>=2,<3".`,
    );
  return { requested: spec, name: match[1] as string, install: text.replaceAll(/\s+/g, "") };
}

function parseWheel(text: string, shown: string): Requirement {
  const path = posix.resolve("/workspace", text);
  const [, name] = wheel.exec(posix.basename(path)) ?? [];
  if (!path.startsWith("/workspace/"))
    throw refuse(`${shown} is not in the workspace: wheels are installed from there.`);
  if (!name || !/^[\w./ +!@-]+$/.test(path))
    throw refuse(`${shown} is not named as a wheel is: name-version-python-abi-platform.whl.`);
  return { requested: text, name, install: path };
}

function refuse(message: string): SandboxError {
  return new SandboxError("invalid_argument", message);
}
