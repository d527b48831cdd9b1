// Builds the application when it differs from what was built last. What counts is content, not times: a fresh clone or a
// branch that was switched back and forth is judged rightly.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const SOURCES = [
  "app",
  "db",
  "front/forms.ts",
  "lib",
  "mcp",
  "sandbox",
  "env.ts",
  "instrumentation.ts",
  "proxy.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];

/** True if it built, false if the last build still holds. */
export async function buildIfChanged(root: string, buildDir: string, signal?: AbortSignal): Promise<boolean> {
  const marker = path.join(root, buildDir, "cove-sources");
  const hash = await hashSources(root);
  if ((await readFile(marker, "utf8").catch(() => "")) === hash) return false;
  await build(root, buildDir, signal);
  await writeFile(marker, hash);
  return true;
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES) await addTo(hash, path.join(root, source), source);
  return hash.digest("hex");
}

async function addTo(hash: ReturnType<typeof createHash>, file: string, name: string): Promise<void> {
  const entries = await readdir(file, { withFileTypes: true }).catch(() => undefined);
  if (!entries) {
    hash
      .update(`${name}\0`)
      .update(await readFile(file))
      .update("\0");
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.name.includes(".test."))
      await addTo(hash, path.join(file, entry.name), `${name}/${entry.name}`);
  }
}

function build(root: string, buildDir: string, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      COVE_BUILD_DIR: buildDir,
      // Modules are loaded while building, and the one that looks for this refuses it empty, as a line in `.env` may have it.
      OPENAI_BASE_URL: "http://unused.invalid",
    },
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`The application could not be built:\n${Buffer.concat(output).toString().trim()}`));
    });
  });
}
