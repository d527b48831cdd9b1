import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHelper } from "#sandbox/docker/helper-container.ts";
import { openSharedVolume } from "#sandbox/docker/shared-volume.ts";
import { type Installation, newInstallation } from "../support/installation.ts";

let at: Installation;
let folders: { skills: string; tools: string };
beforeAll(async () => {
  at = await newInstallation();
  folders = { skills: join(at.dataDir, "skills"), tools: join(at.dataDir, "tools") };
  await mkdir(join(folders.skills, "charts"), { recursive: true });
  await mkdir(folders.tools);
  await writeFile(join(folders.skills, "charts", "SKILL.md"), "# Charts\n");
  await writeFile(join(folders.tools, "__init__.py"), "");
});
afterAll(() => at.cleanUp());

const open = () => openSharedVolume(at, folders, join(at.dataDir, "stamp.json"));
const inside = (script: string, ReadOnly = true) => {
  const Source = `cove-${at.installation}-shared`;
  return runHelper(at, { script, mounts: [{ Type: "volume", Source, Target: "/opt/cove", ReadOnly }] });
};

test("the folders are in the volume, root's and readable by all", async () => {
  await open();
  expect(await inside("cat /opt/cove/skills/charts/SKILL.md")).toBe("# Charts");
  expect(await inside("find /opt/cove -mindepth 1 -printf '%P %U %m\\n' | sort")).toBe(
    [
      "skills 0 755",
      "skills/charts 0 755",
      "skills/charts/SKILL.md 0 644",
      "tools 0 755",
      "tools/__init__.py 0 644",
    ].join("\n"),
  );
});

test("it is filled again exactly when a folder changed", async () => {
  const shared = await open();
  expect(await shared.refresh()).toBe(false);
  await writeFile(join(folders.skills, "charts", "SKILL.md"), "# Better charts\n");
  await rm(join(folders.tools, "__init__.py"));
  expect(await shared.refresh()).toBe(true);
  expect(await inside("cat /opt/cove/skills/charts/SKILL.md; ls -A /opt/cove /opt/cove/tools")).toBe(
    "# Better charts\n/opt/cove:\nskills\ntools\n\n/opt/cove/tools:",
  );
  expect(await shared.refresh()).toBe(false);
});

test("a volume that was removed is made and filled again by the next server", async () => {
  const shared = await open();
  await at.docker.getVolume(shared.name).remove();
  await open();
  expect(await inside("ls /opt/cove/skills")).toBe("charts");
});

test("it carries the installation's label, and no helper container is left", async () => {
  expect((await at.volumes()).map((volume) => volume.Labels)).toEqual([
    { cove: at.installation, "cove.role": "shared", "cove.made": expect.any(String) },
  ]);
  expect(await at.containers()).toEqual([]);
});
