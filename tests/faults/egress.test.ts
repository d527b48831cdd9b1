// Connections out of a sandbox while what carries them breaks: they go on, or end at once; nothing hangs.
import { createHash, randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryOwnership, type SandboxesOptions } from "#sandbox/index.ts";
import { newInstallation } from "../support/installation.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { type Site, site, testLookup } from "../support/sites.ts";

const data = randomBytes(16 * 2 ** 20);
const digest = createHash("sha256").update(data).digest("hex");
let slow: Site;
let options: Partial<SandboxesOptions>;
let all: TestSandboxes;
beforeEach(async () => {
  slow = await site((request, response) => {
    if (request.url === "/never") return void response.write("begun\n");
    let at = 0;
    const timer = setInterval(() => {
      response.write(data.subarray(at, at + 2 ** 19));
      at += 2 ** 19;
      if (at < data.length) return;
      clearInterval(timer);
      response.end();
    }, 40);
    response.once("close", () => clearInterval(timer));
  });
  const egress = { mode: "off" as const, allow: [`slow.test:${slow.port}`], lookup: testLookup };
  options = { egress, ownership: memoryOwnership() };
  all = await testSandboxes(options, await newInstallation());
});
afterEach(async () => {
  await all.cleanUp();
  await slow.close();
});

const url = (path: string) => `http://slow.test:${slow.port}${path}`;

test("a download goes on over killed relays, byte for byte", async () => {
  const ann = await all.sandboxes.open("ann");
  const loading = ann.run(`curl -sS ${url("/data")} | sha256sum`);
  await ann.run("for i in 1 2 3; do sleep 0.3; pkill -9 -x nc; done");
  expect(String((await loading).stdout).split(" ")[0]).toBe(digest);
});

test("a server that goes ends the connections it carried, and the next one carries new ones", async () => {
  const ann = await all.sandboxes.open("ann");
  const begun = Promise.withResolvers<void>();
  const command = `curl -sSN ${url("/never")}; echo ended $?`;
  const running = ann.run(command, { executionId: "the-run", keep: true, onOutput: () => begun.resolve() });
  await begun.promise;
  await all.sandboxes.close("keep");
  expect((await running).status).toBe("interrupted");
  all = await testSandboxes(options, all.at);
  const started = performance.now();
  const end = await (await all.sandboxes.open("ann")).attach("the-run");
  expect(String(end.stdout)).toMatch(/^begun\nended (18|56)\n$/);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(await all.sh("ann", `curl -sS ${url("/data")} | sha256sum`)).toContain(digest);
});

test("a container that is stopped with connections open starts again without them", async () => {
  const ann = await all.sandboxes.open("ann");
  await ann.run(`curl -sS ${url("/never")}`, { background: true });
  await all.sandboxes.stop("ann");
  expect(await all.sh("ann", `curl -sS ${url("/data")} | sha256sum`)).toContain(digest);
});

test("a site that breaks off is told from one that ends", async () => {
  const ann = await all.sandboxes.open("ann");
  const onOutput = () => slow.close();
  const { stdout } = await ann.run(`curl -sSN ${url("/never")}; echo $?`, { onOutput });
  expect(String(stdout)).toMatch(/^begun\n(18|56)\n$/);
});
