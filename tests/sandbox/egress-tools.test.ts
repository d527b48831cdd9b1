// pip, npm and git in a container, without a word of configuration: an index and a repository of this test's own,
// and the real npm registry as the host itself reaches it.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";
import { systemLookup } from "#sandbox/egress/resolve.ts";
import { hostPresets, hostRegistries, npmRegistry } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { type Site, selfSigned, site, testLookup } from "../support/sites.ts";

let folder: string;
let index: Site;
let repository: Site;
let fixture: TestSandboxes;
let wheel: Buffer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cove-repository-"));
  const certificate = await selfSigned("index.test");
  index = await site((request, response) => {
    if (request.url?.endsWith(".whl")) return response.end(wheel);
    if (!request.url?.endsWith("/tide/")) return response.writeHead(404).end();
    return response
      .setHeader("content-type", "text/html")
      .end('<a href="/files/tide-1.0-py3-none-any.whl">tide-1.0-py3-none-any.whl</a>');
  }, certificate);
  repository = await site((request, response) => {
    const path = normalize(`/${new URL(request.url ?? "", "http://git.test").pathname}`);
    readFile(join(folder, path)).then(
      (data) => response.end(data),
      () => response.writeHead(404).end(),
    );
  });
  const host = { env: process.env, home: homedir() };
  const presets = await hostPresets(host);
  fixture = await testSandboxes({
    egress: {
      mode: "packages",
      allow: [`git.test:${repository.port}`],
      registries: [
        ...(await npmRegistry()),
        ...(await hostRegistries(host)),
        { scheme: "https", host: "index.test", port: index.port },
      ],
      lookup: async (name) => (name.endsWith(".test") ? testLookup(name) : systemLookup(name)),
    },
    presets: {
      ...presets,
      pip: `https://index.test:${index.port}/simple/`,
      ca: `${presets.ca ?? ""}\n${certificate.cert}`,
    },
    disk: { bytes: 256 * 2 ** 20, reserveBytes: 0, quota: "hard" },
  });
});
afterAll(async () => {
  await fixture?.cleanUp();
  await index.close();
  await repository.close();
  await rm(folder, { recursive: true });
});

test("npm installs a package of the real registry, and the next command uses it", async () => {
  const ann = await fixture.sandboxes.open("ann");
  const { status, stderr, deniedHosts } = await ann.run("npm install is-odd", { timeoutMs: 60_000 });
  // npm may have news to tell, which is no failure.
  expect({ status, deniedHosts }, String(stderr)).toEqual({ status: "completed", deniedHosts: [] });
  expect(await fixture.sh("ann", "node -p 'require(\"is-odd\")(3)'")).toBe("true");
});

test("pip installs from the index it was told of, over TLS with the operator's certificate", async () => {
  const ann = await fixture.sandboxes.open("ann");
  await ann.run("python3 -", { stdin: makeWheel });
  wheel = await ann.files.read("tide-1.0-py3-none-any.whl");
  const { status, stderr } = await ann.run("pip install --target lib tide", { timeoutMs: 60_000 });
  expect({ status, stderr: String(stderr) }).toEqual({ status: "completed", stderr: "" });
  expect(await fixture.sh("ann", "PYTHONPATH=lib python3 -c 'import tide; print(tide.level)'")).toBe("high");
});

test("install_dependencies installs from that index, says how far it is, and a cell imports it", async () => {
  const ann = await fixture.sandboxes.open("ann");
  const heard: string[] = [];
  const { status, packages, deniedHosts } = await ann.packages.install(["tide", "no-such-tide"], {
    timeoutMs: 60_000,
    onOutput: ({ data }) => void heard.push(String(data)),
  });
  expect({ status, deniedHosts }).toEqual({ status: "failed", deniedHosts: [] });
  expect(packages).toMatchObject([
    { requested: "tide", name: "tide", outcome: "installed", version: "1.0" },
    { requested: "no-such-tide", outcome: "failed", reason: expect.stringContaining("no-such-tide") },
  ]);
  expect(heard.join("")).toContain(`Looking in indexes: https://index.test:${index.port}/simple/`);
  expect(heard.join("")).toContain("Successfully installed tide-1.0");
  const { results } = await ann.python("import tide\ntide.level");
  expect(results).toMatchObject([{ text: "'high'" }]);
});

test("git clones what was allowed, and says why it can't clone the rest", async () => {
  const git = (...args: string[]) => hostCommand("git", ["-C", folder, ...args]);
  await git("init", "-q", "work");
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await git("-C", "work", ...author, "commit", "-q", "--allow-empty", "-m", "A first commit");
  await git("clone", "-q", "--bare", "work", "work.git");
  await git("-C", "work.git", "update-server-info");
  const ann = await fixture.sandboxes.open("ann");
  await ann.run(`git clone -q http://git.test:${repository.port}/work.git cloned`);
  expect(await fixture.sh("ann", "git -C cloned log --format=%s")).toBe("A first commit");
  const refused = await ann.run("git clone https://git.example/other.git");
  expect(String(refused.stderr)).toContain("403");
  expect(refused.deniedHosts).toMatchObject([{ host: "git.example", port: 443, reason: "host_not_allowed" }]);
});

const makeWheel = `import zipfile
with zipfile.ZipFile("tide-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("tide.py", "level = 'high'\\n")
    wheel.writestr("tide-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tide\\nVersion: 1.0\\n")
    wheel.writestr("tide-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("tide-1.0.dist-info/RECORD", "tide.py,,\\ntide-1.0.dist-info/METADATA,,\\ntide-1.0.dist-info/WHEEL,,\\ntide-1.0.dist-info/RECORD,,\\n")
`;
