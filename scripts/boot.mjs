// The first lines of every command, in plain JavaScript for Node 20: installs what the lockfile says if that has not been
// done, then goes on with the TypeScript of the command on the Node that was installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const [command, ...args] = process.argv.slice(2);

process.chdir(root);
install();
run();

function install() {
  const marker = path.join(root, "node_modules", ".installed");
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === lock) return;

  const started = Date.now();
  // On stderr, so that the output of a command that prints JSON stays clean.
  process.stderr.write("  Installing packages …\n");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (npm.status !== 0) {
    process.stderr.write(
      `${npm.stdout ?? ""}${npm.stderr ?? npm.error}\n✗ Packages could not be installed (npm ci).\n`,
    );
    process.exit(1);
  }
  writeFileSync(marker, lock);
  process.stderr.write(`✓ Packages installed  ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

function run() {
  // Elsewhere than on Linux the packages bring no Node, and the one at hand must do.
  const own = path.join(root, "node_modules", ".bin", "node");
  const node = existsSync(own) ? own : process.execPath;
  const child = spawn(node, [path.join(root, "scripts", `${command}.ts`), ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH}`,
    },
  });
  // A terminal sends Ctrl-C to both of us; anybody else sends signals to this process alone.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`✗ ${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
