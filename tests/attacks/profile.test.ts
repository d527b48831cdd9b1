// SECURITY.md 10 and 11: what a container of a running server is made of, and what of the server is in it.

import { randomBytes } from "node:crypto";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { type Caller, ownCove } from "../support/caller.ts";
import { expectProfile } from "../support/profile.ts";

const MB = 2 ** 20;
const secret = () => randomBytes(24).toString("hex");
const secrets = {
  AUTH_SECRET: secret(),
  OPENAI_API_KEY: secret(),
  GEMINI_API_KEY: secret(),
  AUTH_GITHUB_ID: secret(),
  AUTH_GITHUB_SECRET: secret(),
};
const own = ownCove({
  ...secrets,
  COVE_WARM_POOL: "1",
  COVE_SANDBOX_MEMORY: "512m",
  COVE_SANDBOX_CPUS: "1.5",
});
const docker = connectEngine(process.env.DOCKER_HOST);
let ada: Caller;

beforeAll(async () => {
  ada = await own.caller();
  await run("true");
});

describe("10. What tells about the host, and secrets of the server", () => {
  test("no engine's socket is in a sandbox of a running server", async () => {
    expect(await run("find / -name '*docker*.sock' -o -name '*containerd*.sock' 2>/dev/null || true")).toBe(
      "",
    );
  });

  test("no secret of the server is in any environment, command line, mount or file", async () => {
    const url = (await embeddedPostgresUrl(own.cove.dataDir)) ?? "";
    const needles = [...Object.values(secrets), ada.token, url, path.basename(own.cove.dataDir)];
    expect(needles.every((needle) => needle.length > 9)).toBe(true);
    const canary = secret();
    // Something it has to find, or the search proves nothing.
    await ada.execute("write_file", { file_path: "canary", content: canary });
    expect(await search([...needles, canary])).toEqual([["/workspace/canary", needles.length]]);
  });
});

describe("11. Every live container is as the profile says", () => {
  test("those of a running server, somebody's and nobody's, field by field", async () => {
    const installation = await installationName(own.cove.dataDir);
    const live = () =>
      docker.listContainers({
        filters: JSON.stringify({ label: [`cove=${installation}`, "cove.role=sandbox"] }),
      });
    // The one that was given away, and the one that took its place in the pool.
    await expect.poll(async () => (await live()).length, { timeout: 60_000 }).toBe(2);
    const uids = new Set<number>();
    for (const { Id } of await live()) {
      const details = await docker.getContainer(Id).inspect();
      const limits = { memoryBytes: 512 * MB, cpus: 1.5, pids: 256, tmpBytes: 256 * MB, shmBytes: 64 * MB };
      const image = details.Config.Image;
      expect(image).toMatch(/^cove-sandbox:[0-9a-f]{16}$/);
      uids.add(
        expectProfile(details, {
          installation,
          image,
          disks: `${own.cove.dataDir}/sandboxes/disks`,
          ...limits,
        }),
      );
    }
    expect(uids.size).toBe(2);
  });
});

async function run(command: string): Promise<string> {
  const { body } = await ada.execute("execute_bash", { command, timeout: 100 });
  expect(body).toMatchObject({ status: "completed", stderr: "" });
  return body.stdout;
}

/** Where which of them is. They are sent backwards, so that the search doesn't find itself. */
async function search(needles: string[]): Promise<[string, number][]> {
  const backwards = JSON.stringify(needles.map((needle) => [...needle].reverse().join("")));
  const script = `
import glob, json, os, stat
needles = [text[::-1].encode() for text in json.loads('''${backwards}''')]
def places():
    for pattern in ("environ", "cmdline", "mountinfo", "mounts"):
        yield from glob.glob(f"/proc/[0-9]*/{pattern}")
    for folder, folders, names in os.walk("/"):
        if folder == "/": folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        yield from (os.path.join(folder, name) for name in names)
    yield from glob.glob("/dev/shm/*")
found = []
for place in places():
    try:
        if not stat.S_ISREG(os.lstat(place).st_mode): continue
        with open(place, "rb") as file: data = file.read()
    except OSError: continue
    found += [[place, at] for at, needle in enumerate(needles) if needle in data]
print(json.dumps(found))`;
  return JSON.parse(await run(`python3 - <<'CODE'\n${script}\nCODE`));
}
