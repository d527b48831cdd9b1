// A stack of docker-compose.yml for a test: a project and a port of its own, whatever was made on the engine removed at the end.
import { randomBytes } from "node:crypto";
import Docker from "dockerode";
import { expect } from "vitest";
import { freePort } from "#scripts/free-port.ts";
import { shell } from "./shell.ts";

export type Stack = Awaited<ReturnType<typeof newStack>>;

export async function newStack(settings: Record<string, string>) {
  const project = `covetest${randomBytes(4).toString("hex")}`;
  const port = String(await freePort());
  const env = {
    ...settings,
    COMPOSE_PROJECT_NAME: project,
    PORT: port,
    COVE_WARM_POOL: "0",
    COVE_SANDBOX_DISK: "64m",
  };
  const url = `http://localhost:${port}`;
  const run = (script: string, more: Record<string, string> = {}) => shell(script, { ...env, ...more });

  /** Resolves once the server says that everything is there. */
  async function well(): Promise<void> {
    const health = async () => (await fetch(`${url}/health`).catch(() => undefined))?.status;
    await expect.poll(health, { timeout: 120_000 }).toBe(200);
  }

  /** The container of a service, as the engine knows it. */
  async function inspect(service: string) {
    const label = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`];
    const docker = new Docker();
    const [found] = await docker.listContainers({ all: true, filters: JSON.stringify({ label }) });
    if (!found) throw new Error(`There is no container of ${service}.`);
    return docker.getContainer(found.Id).inspect();
  }

  return { env, url, run, well, inspect };
}
