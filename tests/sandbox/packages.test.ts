// Packages in a real container, from an index of the test's own.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { serveWheels } from "../support/wheels.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
/** The version that the system has. */
let numpy: string;
beforeAll(async () => {
  fixture = await testSandboxes({
    limits: { memoryBytes: 512 * 2 ** 20 },
    // pip takes seconds, and on a busy machine many more.
    execution: { timeoutMs: 110_000 },
  });
  sandbox = await fixture.sandboxes.open("packer");
  numpy = await fixture.sh("packer", "python3 -c 'import numpy; print(numpy.__version__)'");
  await serveWheels(sandbox, [
    { name: "demo", version: "1.0", source: "version = 'one'" },
    { name: "demo", version: "2.0", source: "version = 'two'", extras: { more: "demo-more" } },
    { name: "demo-more", version: "0.1", source: "more = True" },
    { name: "by-path", version: "3", source: "found = True" },
    { name: "needy", version: "1", source: "", requires: ["no-such-thing"] },
    { name: "pandas", version: "99.0", source: "__version__ = '99.0'" },
    { name: "traitlets", version: "99.0", source: "raise ImportError('broken on purpose')" },
    { name: "numpy", version: numpy, source: "raise ImportError('not the preloaded one')" },
    { name: "numpy", version: "99.0", source: "__version__ = '99.0'" },
    { name: "drawing", version: "1", source: "import numpy", requires: ["numpy"] },
    { name: "modern", version: "1", source: "import numpy", requires: ["numpy>=99"] },
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

test("an environment whose link was removed is linked again, with what is in it", async () => {
  await fixture.sh("packer", "rm -rf /workspace/.venv");
  const { packages } = await sandbox.packages.install(["demo"]);
  expect(packages).toMatchObject([{ outcome: "present", version: "2.0" }]);
  expect(await value("import demo\ndemo.version", "linked-again")).toBe("'two'");
});

test("an environment that is broken is made whole, with what is in it", async () => {
  await fixture.sh("packer", "rm -rf .venv/bin .venv/pyvenv.cfg");
  const { packages } = await sandbox.packages.install(["demo", "by-path"]);
  expect(packages).toMatchObject([
    { outcome: "present", version: "2.0" },
    { outcome: "installed", version: "3" },
  ]);
  expect(await fixture.sh("packer", "which pip && python -c 'import demo; print(demo.version)'")).toBe(
    "/workspace/.venv/bin/pip\ntwo",
  );
});

test("one that was killed while it made the first environment leaves nothing in the way", async () => {
  const cat = await fixture.sandboxes.open("killed");
  await serveWheels(cat, [{ name: "demo", version: "1.0", source: "version = 'one'" }]);
  // As far as it had come at any moment: a folder, its settings, an interpreter.
  for (const left of ["", "touch pyvenv.cfg", "mkdir bin && ln -s /usr/bin/python3 bin/python"]) {
    await fixture.sh(
      "killed",
      `rm -rf .venv .venvs && mkdir -p .venvs/default && cd .venvs/default && true; ${left}`,
    );
    const { packages } = await cat.packages.install(["demo"]);
    expect({ left, packages }).toMatchObject({ packages: [{ outcome: "installed", version: "1.0" }] });
    expect(
      await fixture.sh("killed", "which pip python && python -c 'import demo; print(demo.version)'"),
    ).toBe("/workspace/.venv/bin/pip\n/workspace/.venv/bin/python\none");
  }
  await fixture.sh("killed", "mkdir .venvs/half");
  await expect(cat.packages.make("half")).resolves.toMatchObject({ name: "half" });
});

test("whoever is killed while it installs lets the next one in", async () => {
  const cat = await fixture.sandboxes.open("killed");
  const { executionId } = await cat.run("exec flock /workspace sleep 600", { background: true });
  const taken = async () => (await cat.run("flock --nonblock /workspace true")).exitCode;
  await expect.poll(taken, { timeout: 30_000 }).toBe(1);
  const heard: string[] = [];
  const next = cat.packages.install(["demo"], { onOutput: ({ data }) => void heard.push(String(data)) });
  await expect
    .poll(() => heard.join(""), { timeout: 30_000 })
    .toContain("Waiting for another installation to end.");
  await cat.stop(executionId);
  expect((await next).packages).toMatchObject([{ outcome: "present", version: "1.0" }]);
});

test("first calls at the same time wait for each other, and all of them get what they asked for", async () => {
  const dan = await fixture.sandboxes.open("parallel");
  const names = ["one", "two", "three"];
  await serveWheels(
    dan,
    names.map((name) => ({ name, version: "1", source: "" })),
  );
  const results = await Promise.all(names.map((name) => dan.packages.install([name])));
  expect(results.flatMap(({ packages }) => packages)).toMatchObject(
    names.map((name) => ({ name, outcome: "installed", version: "1" })),
  );
  expect(await fixture.sh("parallel", "python -c 'import one, two, three; print(3)'")).toBe("3");
});

// The image has uv only where a Python index answered when it was built; this one stands in for its command line. Like
// uv, it takes no notice of the system's packages.
const UV = `#!/bin/sh
echo "$@" >> /workspace/uv-calls
case "$1" in
venv) for home; do :; done
  /usr/bin/python3 -m venv --system-site-packages --without-pip "$home" && echo "uv = 0.0" >> "$home/pyvenv.cfg" ;;
pip) python=$4; shift 4
  case "$*" in *no-such-thing*) echo "error: no-such-thing was not found" >&2; exit 2 ;; esac
  exec "$python" -m pip install -q --ignore-installed "$@" ;;
esac
`;
const uvCalls = async () =>
  (await fixture.sh("packer", "cat uv-calls; : > uv-calls")).replaceAll(/\/tmp\/\S+/g, "FILE");

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
  const pip = "pip install --python /workspace/.venvs/quick/bin/python";
  expect(await uvCalls()).toBe(
    [
      "venv --quiet --system-site-packages --python /usr/bin/python3 /workspace/.venvs/quick",
      `${pip} --constraint FILE -- demo==1.0`,
      `${pip} --constraint FILE -- no-such-thing`,
      `${pip} -- no-such-thing`,
    ].join("\n"),
  );
  expect(await fixture.sh("packer", "pip --version")).toContain("pip ");
});

test("uv leaves to the system what it has, and gets no other versions of it than are needed", async () => {
  const warm = "import sys\n'pandas' in sys.modules";
  const { packages } = await sandbox.packages.install(["pandas>=2", "numpy"]);
  expect(packages.map(({ outcome }) => outcome)).toEqual(["present", "present"]);
  expect(await uvCalls()).toBe("");

  // The same version once more is no reason to do without the warm interpreter.
  await sandbox.packages.install(["drawing"]);
  expect(await sandbox.packages.list()).toContainEqual({
    name: "numpy",
    version: numpy,
    place: "environment",
  });
  expect(await value(warm, "same-version")).toBe("True");
  expect(await value("import drawing\ndrawing.numpy.__version__ != '99.0'", "same-version")).toBe("True");

  await sandbox.packages.install(["modern"]);
  expect(await value(warm, "other-version")).toBe("False");
  expect(await value("import modern\nmodern.numpy.__version__", "other-version")).toBe("'99.0'");
});
