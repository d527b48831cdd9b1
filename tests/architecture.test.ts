// The arrows of the design: which room may import which. `docs/architecture.md` says why.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const ROOMS: Record<string, string[]> = {
  front: ["lib", "env.ts"],
  app: ["lib", "mcp", "env.ts", "package.json"],
  lib: ["db", "sandbox", "mcp/tools", "mcp/prompt", "env.ts", "package.json"],
  mcp: ["sandbox (types)", "package.json"],
  db: [],
  sandbox: [],
};

const root = path.resolve(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file && !/\.(test|spec)\.tsx?$/.test(file));

describe.each(Object.keys(ROOMS))("%s", (room) => {
  const own = files.filter((file) => file.startsWith(`${room}/`));

  test("has files to look at", () => {
    expect(own).not.toEqual([]);
  });

  test("imports only what lies below it", () => {
    const upward = own.flatMap((file) =>
      importsOf(file)
        .filter((found) => !mayImport(room, found))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });
});

test("only env.ts reads the environment", () => {
  const readers = files.filter(
    (file) =>
      /^(front|app|lib|mcp|db|sandbox)\//.test(file) &&
      /process\.env\b/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(readers).toEqual([]);
});

test("nothing but its own folder and who chooses the engine knows about Docker, not even by name", () => {
  const choosers = ["lib/engine.ts", "sandbox/index.ts"];
  const knowers = files.filter(
    (file) =>
      /^(front|app|lib|mcp|db|sandbox)\//.test(file) &&
      !file.startsWith("sandbox/docker/") &&
      /dockerode|\bdocker\/|\bDocker|\bDOCKER_/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(knowers).toEqual(choosers);
});

test("the sandbox is entered by its public face", () => {
  // Pages need names in the browser, where the rest of the package can't go.
  const pure = "lib/files/workspace-path.ts imports sandbox/files/names.ts";
  const sneaking = files
    .filter((file) => /^(front|app|lib|mcp|db)\//.test(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith("sandbox/") && target !== "sandbox/index.ts")
        .map(({ target }) => `${file} imports ${target}`),
    );
  expect(sneaking).toEqual([pure]);
});

test("what keeps sandboxes alive knows an engine only by its interface", () => {
  const knowers = files
    .filter((file) => file.startsWith("sandbox/") && !/^sandbox\/(docker\/|index\.ts)/.test(file))
    .filter((file) => importsOf(file).some(({ target }) => target.startsWith("sandbox/docker/")));
  expect(knowers).toEqual([]);
});

test("the folders of lib form no cycles", () => {
  // Files directly in lib/ are the floor on which the folders stand: together one folder, which imports none of them.
  const folderOf = (file: string) => file.split("/").slice(1, -1)[0] ?? "floor";
  let arrows = files
    .filter((file) => file.startsWith("lib/"))
    .flatMap((file) => importsOf(file).map(({ target }) => ({ file, target })))
    .filter(({ target }) => target.startsWith("lib/"))
    .map(({ file, target }) => ({ file, target, from: folderOf(file), to: folderOf(target) }))
    .filter(({ from, to }) => from !== to);
  expect(arrows).not.toEqual([]);
  for (let before = 0; before !== arrows.length; ) {
    before = arrows.length;
    // What nothing leads to, and what leads nowhere, is in no cycle.
    const [ends, beginnings] = [new Set(arrows.map(({ to }) => to)), new Set(arrows.map(({ from }) => from))];
    arrows = arrows.filter(({ from, to }) => ends.has(from) && beginnings.has(to));
  }
  expect(arrows.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

interface Import {
  /** A path from the root for our own files, a package's name otherwise. */
  target: string;
  ours: boolean;
  typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), "utf8");
  const patterns = [
    /^\s*(?:import|export)\s+(?<type>type\s)?[^"';]*?from\s+"(?<from>[^"]+)"/gm,
    /\bimport\("(?<from>[^"]+)"\)/g,
    /^import\s+"(?<from>[^"]+)"/gm,
  ];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ groups }) => ({ ...resolve(file, groups?.from ?? ""), typeOnly: groups?.type !== undefined }));
}

function resolve(file: string, specifier: string) {
  if (specifier.startsWith("#")) return { target: specifier.slice(1), ours: true };
  if (specifier.startsWith("."))
    return { target: path.posix.join(path.posix.dirname(file), specifier), ours: true };
  return { target: specifier, ours: false };
}

function mayImport(room: string, { target, ours, typeOnly }: Import): boolean {
  if (!ours || target.startsWith(`${room}/`)) return true;
  return (ROOMS[room] ?? []).some((name) => {
    const [prefix, onlyTypes] = name.split(" ");
    return (target === prefix || target.startsWith(`${prefix}/`)) && (!onlyTypes || typeOnly);
  });
}
