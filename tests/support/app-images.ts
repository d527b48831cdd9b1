// The images of the Dockerfile, built once for the stage `deploy` by `npm run compose`, and removed when it is over.
import { randomBytes } from "node:crypto";
import Docker from "dockerode";
import type { TestProject } from "vitest/node";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { buildArguments, composeSettings } from "#scripts/build-settings.ts";
import { shell } from "./shell.ts";

declare module "vitest" {
  interface ProvidedContext {
    images: { app: string; postgres: string; single: string; sandbox: string };
    /** What docker-compose.yml is told here, so that it finds them and builds them again from the engine's cache. */
    settings: Record<string, string>;
  }
}

export default async function buildImages(project: TestProject): Promise<() => Promise<void>> {
  const engine = new Docker();
  const run = randomBytes(6).toString("hex");
  const name = (image: string) => `cove-test-${image}:${run}`;
  const images = { app: name("app"), postgres: name("postgres"), single: name("single") };
  // All that a build makes has a name, so that all of it goes in the end.
  const stages = ["postgres", "build", "app"].map((target) => ({ target, tag: name(`${target}-stage`) }));
  const given = await buildArguments(engine);
  const names = { COVE_IMAGE: images.app, COVE_POSTGRES_IMAGE: images.postgres };
  const remove = async () => {
    for (const image of [...Object.values(images), ...stages.map(({ tag }) => tag)])
      await removeImage(engine, image);
  };
  const words = Object.keys(given).map((one) => `--build-arg ${one}`);
  const build = `docker build --network host ${words.join(" ")}`;
  try {
    await shell(`${process.execPath} scripts/compose.ts build postgres app`, names);
    for (const { target, tag } of stages)
      await shell(`${build} --target ${target} --tag ${tag} .`, { ...given });
    await shell(`${build} --tag ${images.single} .`, { ...given });
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide("images", { ...images, sandbox: (await ensureImage(engine)).tag });
  project.provide("settings", { ...composeSettings(given), ...names });
  return remove;
}

async function removeImage(engine: Docker, image: string): Promise<void> {
  await engine
    .getImage(image)
    .remove({ force: true })
    .catch((error) => {
      if (error.statusCode !== 404) throw error;
    });
}
