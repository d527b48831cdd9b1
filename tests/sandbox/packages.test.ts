// Packages in a real container, from an index of the test's own.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { serveWheels } from "../support/wheels.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ limits: { memoryBytes: 512 * 2 ** 20 } });
  sandbox = await fixture.sandboxes.open("packer");
  await serveWheels(sandbox, [
    { name: "demo", version: "1.0", source: "version = 'one'" },
    { name: "demo", version: "2.0", source: "version = 'two'", extras: { more: "demo-more" } },
    { name: "demo-more", version: "0.1", source: "more = True" },
    { name: "by-path", version: "3", source: "found = True" },
    { name: "needy", version: "1", source: "", requires: ["no-such-thing"] },
    { name: "pandas", version: "99.0", source: "__version__ = '99.0'" },
    { name: "traitlets", version: "99.0", source: "raise ImportError('broken on purpose')" },
  ]);
});
afterAll(() => fixture.cleanUp());

async function value(code: string, session = "default"): Promise<string | undefined> {
  const { status, results, stderr } = await sandbox.python(code, { session });
  if (status !== "completed") throw new Error(`${status}: ${stderr}`);
  return results.find((one) => one.value)?.text;
}

test("what is installed can be used at once, in the running session and in commands", async () => {
  await expect(value("import demo")).rejects.toThrow(/ModuleNotFoundError/);
  const heard: string[] = [];
  const result = await sandbox.packages.install(["demo==1.0"], {
    onOutput: ({ stream, data }) => void heard.push(`${stream}: ${data}`),
  });
  expect(result).toMatchObject({
    status: "completed",
    packages: [{ requested: "demo==1.0", name: "demo", outcome: "installed", version: "1.0" }],
  });
  expect(heard.join("")).toMatch(/^stderr: .*Successfully installed demo-1.0/s);
  expect(heard.join("")).not.toContain("stdout: ");
  expect(await value("import demo\ndemo.version")).toBe("'one'");
  expect(await fixture.sh("packer", "python -c 'import demo; print(demo.version)'; which python")).toBe(
    "one\n/workspace/.venv/bin/python",
  );
});

test("versions and extras are as asked, and what is there already is said to be", async () => {
  const [upgraded] = (await sandbox.packages.install(["demo[more] >= 2"])).packages;
  expect(upgraded).toMatchObject({ outcome: "installed", version: "2.0" });
  const again = await sandbox.packages.install(["demo", "demo-more", "pandas"]);
  expect(again.packages.map(({ outcome }) => outcome)).toEqual(["present", "present", "present"]);
  expect(await value("import demo, demo_more\ndemo.version", "fresh")).toBe("'two'");
});

test("a wheel in the workspace is installed by its path", async () => {
  const { packages } = await sandbox.packages.install(["wheels/by_path-3-py3-none-any.whl"]);
  expect(packages).toMatchObject([{ name: "by_path", outcome: "installed", version: "3" }]);
  expect(await value("import by_path\nby_path.found")).toBe("True");
});

test("one package that can't be had doesn't keep the others from being installed", async () => {
  await sandbox.run("pip uninstall -y demo-more");
  const result = await sandbox.packages.install(["no-such-thing", "demo-more", "needy"]);
  expect(result).toMatchObject({ status: "failed", exitCode: 1 });
  expect(result.packages).toMatchObject([
    { outcome: "failed", reason: expect.stringMatching(/no-such-thing/) },
    { outcome: "installed", version: "0.1" },
    { outcome: "failed", reason: expect.stringMatching(/no-such-thing/) },
  ]);
});

test("options, URLs and shell tricks are refused before anything runs", async () => {
  for (const spec of [
    "--target=/tmp demo",
    "https://example.com/x.whl",
    "demo; touch /workspace/hacked",
    "$(id)",
  ])
    await expect(sandbox.packages.install([spec])).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(sandbox.files.stat("hacked")).rejects.toMatchObject({ code: "not_found" });
});

test("packages are listed with where they are, and checked by either name", async () => {
  const all = await sandbox.packages.list();
  expect(all).toContainEqual({ name: "demo", version: "2.0", place: "environment" });
  expect(all.find(({ name }) => name === "pandas")).toMatchObject({ place: "system" });
  expect(await sandbox.packages.check(["Demo_More", "sklearn", "PIL", "no-such-thing"])).toMatchObject([
    { requested: "Demo_More", installed: true, version: "0.1" },
    { requested: "sklearn", installed: true, name: "scikit-learn" },
    { requested: "PIL", installed: true },
    { requested: "no-such-thing", installed: false },
  ]);
});

test("pip in a command, and in a cell, works on the same environment", async () => {
  await fixture.sh("packer", "pip uninstall -y by-path");
  await fixture.sh("packer", "pip install by-path");
  expect((await sandbox.packages.check(["by-path"]))[0]).toMatchObject({ installed: true });
  await sandbox.python("%pip uninstall -y by-path");
  expect((await sandbox.packages.check(["by-path"]))[0]).toMatchObject({ installed: false });
});

test("what was installed is kept when the sandbox stops", async () => {
  await fixture.sandboxes.stop("packer");
  expect(await value("import demo\ndemo.version")).toBe("'two'");
});

test("another version of a preloaded package is the one that new sessions import", async () => {
  expect(await value("import pandas\npandas.__version__[:2]")).toBe("'2.'");
  await sandbox.packages.install(["pandas==99.0"]);
  expect(await value("import pandas\npandas.__version__", "new")).toBe("'99.0'");
  expect(await value("pandas.__version__[:2]")).toBe("'2.'");
  await sandbox.run("pip uninstall -y pandas");
  await sandbox.resetSession("new");
  expect(await value("import pandas\npandas.__version__[:2]", "new")).toBe("'2.'");
});

test("figures are shown in plain sessions, too", async () => {
  await sandbox.run("cp -r /usr/lib/python3/dist-packages/cycler .venv/lib/python3.13/site-packages/");
  const { results } = await sandbox.python(
    "import sys\nplain = 'pandas' not in sys.modules\nfrom matplotlib import pyplot as plt\nplt.plot([1])\nplt.show()\nplain",
    { session: "plain" },
  );
  expect(results.map(({ mime, text }) => [mime, text])).toEqual([
    ["image/png", undefined],
    ["text/plain", "True"],
  ]);
  await sandbox.run("rm -r .venv/lib/python3.13/site-packages/cycler");
});

test("a broken package that the shell itself would need keeps no session from starting", async () => {
  await sandbox.packages.install(["traitlets==99.0"]);
  expect(await value("1 + 1", "in-spite")).toBe("2");
  expect(await value("import demo\ndemo.version", "in-spite")).toBe("'two'");
  await sandbox.run("pip uninstall -y traitlets");
});

test("environments are made, listed and switched", async () => {
  await expect(sandbox.packages.make("second")).resolves.toMatchObject({ name: "second", type: "venv" });
  await expect(sandbox.packages.make("second")).rejects.toThrow(/already/);
  await sandbox.packages.use("second");
  expect(await sandbox.packages.environments()).toMatchObject([
    { name: "default", active: false },
    { name: "second", active: true, path: "/workspace/.venvs/second" },
  ]);
  expect((await sandbox.packages.check(["demo"]))[0]).toMatchObject({ installed: false });
  await sandbox.packages.install(["demo==1.0"]);
  expect(await value("import demo\ndemo.version", "second")).toBe("'one'");
  await sandbox.packages.use("default");
  expect(await fixture.sh("packer", "python -c 'import demo; print(demo.version)'")).toBe("two");
});

test("what an environment can't be is said in a sentence", async () => {
  await expect(sandbox.packages.make("third", "conda")).rejects.toThrow(/This sandbox has no conda/);
  await expect(sandbox.packages.use("nowhere")).rejects.toThrow(
    /no environment called nowhere: make it first/,
  );
  await expect(sandbox.packages.make("../out")).rejects.toMatchObject({ code: "invalid_argument" });
  await fixture.sh("packer", "rm .venv && mkdir .venv");
  await expect(sandbox.packages.use("second")).rejects.toThrow(/move it away first/);
  await fixture.sh("packer", "rmdir .venv");
});

// The image has uv only where a Python index answered when it was built; this one stands in for its command line.
const UV = `#!/bin/sh
echo "$@" >> /workspace/uv-calls
case "$1" in
venv) for home; do :; done
  /usr/bin/python3 -m venv --system-site-packages --without-pip "$home" && echo "uv = 0.0" >> "$home/pyvenv.cfg" ;;
pip) [ "$6" != no-such-thing ] || { echo "error: no-such-thing was not found" >&2; exit 2; }
  exec "$4" -m pip install -q "$6" ;;
esac
`;

test("where there is uv, it makes the environment and installs, and its errors are told", async () => {
  await sandbox.files.write(".local/bin/uv", UV);
  await fixture.sh("packer", "chmod +x .local/bin/uv");
  await expect(sandbox.packages.make("quick", "uv")).resolves.toMatchObject({ name: "quick", type: "uv" });
  await sandbox.packages.use("quick");
  const { packages } = await sandbox.packages.install(["demo==1.0"]);
  expect(packages).toMatchObject([{ name: "demo", outcome: "installed", version: "1.0" }]);
  expect((await sandbox.packages.install(["no-such-thing"])).packages).toMatchObject([
    { outcome: "failed", reason: "no-such-thing was not found" },
  ]);
  expect(await fixture.sh("packer", "cat uv-calls")).toBe(
    [
      "venv --quiet --system-site-packages --python /usr/bin/python3 /workspace/.venvs/quick",
      "pip install --python /workspace/.venvs/quick/bin/python -- demo==1.0",
      "pip install --python /workspace/.venvs/quick/bin/python -- no-such-thing",
    ].join("\n"),
  );
  expect(await fixture.sh("packer", "pip --version")).toContain("pip ");
});
