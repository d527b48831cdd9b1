import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renewWorkspaces } from "#sandbox/docker/renew-workspaces.ts";
import { memoryOwnership } from "#sandbox/index.ts";
import { newInstallation } from "../support/installation.ts";
import { sandboxesOfTest } from "../support/sandboxes-of-test.ts";

const start = sandboxesOfTest();
const MB = 2 ** 20;

test.each(["hard", "soft"] as const)(
  "a copy with a %s quota has the files under a name of its own, and the original goes on",
  async (quota) => {
    const disk = { bytes: 64 * MB, reserveBytes: 0, quota };
    const original = await start({ disk });
    await original.sh("ann", "mkdir deep; echo original > deep/note; ln -s deep/note link; sync");
    const [record] = (await original.options.ownership?.list()) ?? [];
    if (!record) throw new Error("Ann has no sandbox.");
    const before = await original.containers();

    const at = await newInstallation();
    if (quota === "hard")
      await cp(join(original.dataDir, "disks"), join(at.dataDir, "disks"), {
        recursive: true,
        filter: (file) => !file.startsWith(join(original.dataDir, "disks", `${record.id}/`)),
      });
    const renamed = { ...record, newId: `${at.installation}-ann` };
    const { forget } = await renewWorkspaces(at.client, [renamed], {
      from: original.installation,
      to: at.installation,
      dataDir: at.dataDir,
      image: async () => at.image,
    });
    await forget();
    const ownership = memoryOwnership([{ ...record, id: renamed.newId }]);
    const copy = await start({ disk, ownership }, at);
    expect(await copy.sh("ann", "cat link; stat -c %U deep/note; echo copy > deep/note")).toBe(
      "original\ncoderunner",
    );
    expect(await original.sh("ann", "cat link")).toBe("original");
    expect(await copy.sh("ann", "cat link")).toBe("copy");
    expect(await original.containers()).toMatchObject(before.map(({ Id, State }) => ({ Id, State })));
    if (quota === "hard") expect((await readdir(join(at.dataDir, "disks"))).join()).not.toContain(record.id);
  },
);
