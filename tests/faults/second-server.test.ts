import { describe, expect, test } from "vitest";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { newCaller } from "../support/caller.ts";
import { removeInstallation, spawnCove, startCove } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("a second server on the same installation", () => {
  test("waits, then ends with a sentence; the first one's sandboxes and runs never notice", async () => {
    const dataDir = await temporaryDirectory();
    const first = await startCove({ COVE_DATA_DIR: dataDir, COVE_WARM_POOL: "1" });
    const ada = await newCaller(first);
    const ticks = "for n in $(seq 400); do echo $n; sleep 0.1; done";
    const { body } = await ada.execute("execute_bash", { command: ticks, background: true, timeout: 120 });
    const containers = await containersOf(dataDir);
    await expect.poll(async () => (await containersOf(dataDir)).length, { timeout: 60_000 }).toBe(2);
    const before = await containersOf(dataDir);
    expect(before).toEqual(expect.arrayContaining(containers));

    const started = performance.now();
    const second = await spawnCove({ COVE_DATA_DIR: dataDir, COVE_WARM_POOL: "1" });
    const code = await new Promise((resolve) => second.process.once("exit", resolve));
    expect(performance.now() - started).toBeGreaterThan(29_000);
    expect([code, second.output()]).toEqual([
      1,
      expect.stringContaining(
        "Another Cove server owns this installation and did not end within 30 s. Nothing was touched.",
      ),
    ]);

    expect(await containersOf(dataDir)).toEqual(before);
    const end = await ada.execute("check_execution", { execution_id: body.execution_id, wait: 45 });
    expect(end.body).toMatchObject({
      status: "completed",
      stdout: Array.from({ length: 400 }, (_, n) => `${n + 1}\n`).join(""),
    });
    expect((await (await fetch(`${first.url}/health`)).json()).status).toBe("ok");
    await first.stop();
    await removeInstallation(dataDir);
  }, 180_000);
});

/** Which, and since when they run. */
async function containersOf(dataDir: string): Promise<string[]> {
  const docker = connectEngine(process.env.DOCKER_HOST);
  const filters = JSON.stringify({ label: [`cove=${await installationName(dataDir)}`] });
  const found = await docker.listContainers({ filters });
  const details = await Promise.all(found.map(({ Id }) => docker.getContainer(Id).inspect()));
  return details.map(({ Id, State }) => `${Id} ${State.StartedAt}`).sort();
}
