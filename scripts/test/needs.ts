// What some stages need of the machine. Debian's packages are installed where that is possible; elsewhere the stage says
// what is missing.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { access, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findSystemUser } from "#db/system-user.ts";
import { env } from "#env.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { CHROMIUM } from "../../tests/support/chromium.ts";
import { aptInstall, canInstall } from "../apt.ts";
import { composeCommand } from "../compose-command.ts";
import { ensureEngine, hasProgram } from "../docker-engine.ts";
import { freePort } from "../free-port.ts";
import { step } from "../steps.ts";
import { interruption } from "./interruption.ts";

const exec = promisify(execFile);
const POSTGRES_VERSIONS = "/usr/lib/postgresql";
const ROOT = path.resolve(import.meta.dirname, "../..");
const PYTHON_TOOLS = path.join(ROOT, "tests/daemon/requirements.txt");

// Programs that tests use on the host, and the packages that bring them; a minimal Debian lacks some.
const PROGRAMS: Record<string, string> = {
  python3: "python3",
  git: "git",
  openssl: "openssl",
  // The image is built while stages run that may install packages, too, and apt serves one at a time.
  debootstrap: "debootstrap",
  pkill: "procps",
  ip: "iproute2",
  mount: "mount",
  "mkfs.ext4": "e2fsprogs",
};

export async function ensurePrograms(): Promise<void> {
  const missing: string[] = [];
  for (const [program, name] of Object.entries(PROGRAMS))
    if (!(await hasProgram(program))) missing.push(name);
  if (missing.length > 0) await install(missing, "The tests need more than there is here.");
}

let engine: Promise<void> | undefined;
let image: Promise<void> | undefined;

export function ensureEngineRuns(): Promise<void> {
  engine ??= step("Docker engine", async (s) => s.label(`Docker engine ${await ensureEngine(env(), s)}`));
  return engine;
}

/** Once for all stages; whoever needs it waits for the same work. */
export function ensureEngineAndImage(): Promise<void> {
  image ??= ensureEngineRuns().then(() =>
    step("Sandbox image", async (s) => {
      const { DOCKER_HOST, DOCKER_CERT_PATH } = env();
      const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
      const { tag } = await ensureImage(engine, { onProgress: s.progress, signal: interruption });
      s.label(`Sandbox image ${tag}`);
    }),
  );
  return image;
}

export async function ensureChromium(): Promise<void> {
  const { executablePath } = CHROMIUM;
  if (await exists(executablePath)) return;
  await install([path.basename(executablePath)], `There is no ${executablePath}, which tests drive.`);
}

export async function ensureCompose(): Promise<void> {
  if (await composeCommand()) return;
  await install(["docker-compose"], "There is no docker compose, which starts the stack that is tested.");
}

/** A Python that has ruff, mypy and pytest as they are pinned. It is kept: to install them takes longer than to run them. */
export async function ensurePythonTools(): Promise<string> {
  const { stdout: version } = await exec("python3", ["--version"]);
  const wanted = version + (await readFile(PYTHON_TOOLS, "utf8"));
  const digest = createHash("sha256").update(wanted).digest("hex").slice(0, 16);
  const kept = path.join(ROOT, "node_modules/.cache", `python-${digest}`);
  const python = path.join(kept, "bin/python");
  if (await exists(python)) return python;
  await ensureVenv();
  await mkdir(path.dirname(kept), { recursive: true });
  // Under another name until it is whole, which none is that was interrupted.
  const making = await mkdtemp(`${kept}-`);
  try {
    await step("Python's ruff, mypy and pytest", async () => {
      await exec("python3", ["-m", "venv", making]);
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
      await exec(path.join(making, "bin/python"), [...pip, "-r", PYTHON_TOOLS], { signal: interruption });
    });
    // Another run of the tests may have been quicker.
    await rename(making, kept).catch(async (error) => {
      if (!(await exists(python))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return python;
}

/** Debian's python3 comes without the part of `venv` that brings pip. */
async function ensureVenv(): Promise<void> {
  const there = await exec("python3", ["-c", "import ensurepip, venv"]).then(
    () => true,
    () => false,
  );
  if (!there) await install(["python3-venv"], "Python can't make environments here.");
}

/** A cluster of Debian's PostgreSQL for the moment: its own directory, port and password. */
export async function withDebianPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const binaries = await debianPostgres();
  const directory = await mkdtemp(path.join(tmpdir(), "cove-postgres-"));
  const as = process.getuid?.() === 0 ? await postgresUser() : undefined;
  const [data, passwordFile] = [path.join(directory, "data"), path.join(directory, "password")];
  const password = randomBytes(16).toString("hex");
  const port = await freePort();
  const run = (program: string, args: string[]) =>
    exec(path.join(binaries, program), args, { ...as, cwd: directory });
  try {
    await writeFile(passwordFile, password);
    for (const file of [directory, passwordFile]) if (as) await chown(file, as.uid, as.gid);
    await run("initdb", [
      "-D",
      data,
      "-U",
      "cove",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
    ]);
    const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c max_connections=200`;
    await run("pg_ctl", ["start", "-D", data, "-w", "-s", "-l", path.join(directory, "log"), "-o", settings]);
    return await work(`postgresql://cove:${password}@127.0.0.1:${port}/postgres`);
  } finally {
    await run("pg_ctl", ["stop", "-D", data, "-m", "immediate", "-s"]).catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  }
}

async function debianPostgres(): Promise<string> {
  const find = async () =>
    (await readdir(POSTGRES_VERSIONS).catch(() => [])).sort((a, b) => Number(b) - Number(a))[0];
  if (!(await find())) await install(["postgresql"], `There is no PostgreSQL in ${POSTGRES_VERSIONS}.`);
  return path.join(POSTGRES_VERSIONS, (await find()) ?? "", "bin");
}

async function install(names: string[], missing: string): Promise<void> {
  const listed = names.join(", ");
  if (!(await canInstall())) throw new Error(`${missing} Install from Debian's packages: ${listed}.`);
  await step(`Debian's ${listed} installed`, () => aptInstall(names));
}

async function postgresUser() {
  const user = await findSystemUser("postgres");
  if (!user) throw new Error('There is no system user "postgres", which Debian\'s PostgreSQL brings.');
  return user;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
