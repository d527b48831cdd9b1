// Makes sure a Docker engine answers. An engine that is there is used as it is; none is ever reconfigured or restarted.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Env } from "#env.ts";
import {
  connectEngine,
  EngineUnavailable,
  engineVersion,
  LOCAL_ENGINE,
} from "#sandbox/docker/connect-engine.ts";
import { aptInstall, canInstall } from "./apt.ts";
import type { Step } from "./steps.ts";

const exec = promisify(execFile);
const LOG = "/var/log/cove-dockerd.log";
const START_PATIENCE_MS = 60_000;

type Address = Pick<Env, "DOCKER_HOST" | "DOCKER_CERT_PATH">;

/** Resolves to the engine's version. */
export async function ensureEngine(
  { DOCKER_HOST: address, DOCKER_CERT_PATH }: Address,
  step: Step,
  { install = true } = {},
): Promise<string> {
  const engine = connectEngine(address, DOCKER_CERT_PATH);
  try {
    return await engineVersion(engine);
  } catch (error) {
    if (!(error instanceof EngineUnavailable) || !error.absent) throw error;
    if (address && address !== LOCAL_ENGINE) {
      throw new Error(
        `${error.message} DOCKER_HOST says ${address}: start that engine, or unset DOCKER_HOST.`,
      );
    }
    if (!install)
      throw new Error(`${error.message} Set DOCKER_HOST to where one does: see docs/operations.md.`);
    if (!(await canInstall())) throw new Error(`${error.message}\n${await whatToDo()}`);
  }
  if (!(await hasProgram("dockerd"))) {
    step.progress("installing docker.io");
    // Its recommendations hold AppArmor's tools, without which the engine starts no container on a kernel that uses it.
    await aptInstall(["docker.io"], { recommended: true });
  }
  step.progress("starting dockerd");
  // Under systemd it is a service, which the package starts by itself; one that was stopped is started here.
  if (await systemdRuns()) await startService();
  else await startDetached();
  return waitFor(() => engineVersion(engine));
}

async function startService(): Promise<void> {
  await exec("systemctl", ["start", "docker"]).catch((cause) => {
    throw new Error("The Docker engine could not be started: `systemctl status docker` says why.", { cause });
  });
}

/** The daemon outlives us, so it must not hold on to our terminal or to a pipe that somebody waits for. */
async function startDetached(): Promise<void> {
  const log = openSync(LOG, "a");
  const daemon = spawn("dockerd", [], {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: "/",
    // It outlives whoever starts it, and a temporary directory of theirs (the tests have one) may not.
    env: { ...withSbin(), TMPDIR: undefined },
  });
  closeSync(log);
  await once(daemon, "spawn").catch((cause) => {
    throw new Error(`dockerd could not be started: ${cause.message}`, { cause });
  });
  daemon.unref();
}

/** Root's own programs are not on everybody's PATH. */
function withSbin(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

async function waitFor(probe: () => Promise<string>): Promise<string> {
  const deadline = Date.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      return await probe();
    } catch (cause) {
      if (Date.now() > deadline) {
        const tail = await readFile(LOG, "utf8").catch(() => "");
        const last = tail.trim().split("\n").slice(-5).join("\n");
        throw new Error(`The Docker engine was started but does not answer. The end of ${LOG}:\n${last}`, {
          cause,
        });
      }
      await sleep(250);
    }
  }
}

async function whatToDo(): Promise<string> {
  if (process.platform === "darwin")
    return "Install and start Docker Desktop, OrbStack or Colima, then start again.";
  if (await hasProgram("dockerd")) return "Start it (sudo systemctl start docker), then start again.";
  return "Install Docker Engine for your system (on Debian and Ubuntu: sudo apt-get install docker.io), then start again.";
}

export async function hasProgram(name: string): Promise<boolean> {
  return exec("sh", ["-c", `command -v ${name}`], { env: withSbin() }).then(
    () => true,
    () => false,
  );
}

async function systemdRuns(): Promise<boolean> {
  return access("/run/systemd/system").then(
    () => true,
    () => false,
  );
}
