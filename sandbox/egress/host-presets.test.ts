import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostPresets } from "./host-presets.ts";
import { presetEnvironment } from "./presets.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "host-presets-"));
});
afterEach(() => rmSync(root, { recursive: true }));

test("a host without settings of its own presets nothing", async () => {
  expect(await presets()).toEqual({});
  expect(await presets({ PIP_INDEX_URL: "https://pypi.org/simple" })).toEqual({});
});

test("the whole address of a registry is kept, its credentials are not", async () => {
  file(
    "home/.npmrc",
    "@scope:registry=https://scoped.example/\nregistry=https://ann:secret@npm.example/a/b/\n",
  );
  file(
    "etc/pip.conf",
    "[global]\nextra-index-url = https://extra.example/\nindex-url = http://ann:s@pip.example/simple\n",
  );
  expect(await presets()).toEqual({
    npm: "https://npm.example/a/b/",
    pip: "http://pip.example/simple",
  });
});

test("what counts more for npm and pip counts more here", async () => {
  file("etc/npmrc", "registry=https://global.example/");
  file("home/.npmrc", "registry=https://user.example/");
  file("etc/pip.conf", "[global]\nindex-url = https://global.example/");
  expect((await presets()).npm).toBe("https://user.example/");
  const fromEnvironment = await presets({
    NPM_CONFIG_REGISTRY: "https://env.example/",
    PIP_INDEX_URL: "https://env.example/simple",
  });
  expect(fromEnvironment).toEqual({ npm: "https://env.example/", pip: "https://env.example/simple" });
});

test("an address that isn't one of the web is not handed on", async () => {
  expect(await presets({ PIP_INDEX_URL: "file:///srv/index", npm_config_registry: "nonsense" })).toEqual({});
});

test("certificates are found where Node, OpenSSL and npm are told to look", async () => {
  file("one.pem", "ONE");
  file("two.pem", "TWO");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is npm's own syntax
  file("home/.npmrc", "cafile=${CERTS}/two.pem");
  const { ca } = await presets({
    CERTS: root,
    NODE_EXTRA_CA_CERTS: join(root, "one.pem"),
    PIP_CERT: "/none",
  });
  expect(ca?.split(/\s+/)).toEqual(["ONE", "TWO"]);
});

test("programs are told about the proxy in both spellings, and about registries and certificates if there are any", () => {
  const plain = presetEnvironment({});
  expect(plain).toMatchObject({ http_proxy: "http://127.0.0.1:3128", HTTPS_PROXY: "http://127.0.0.1:3128" });
  expect(Object.keys(plain).filter((name) => /registry|index|cert/i.test(name))).toEqual([]);
  const told = presetEnvironment({ npm: "https://npm.example/", pip: "https://pip.example/" }, "/trust");
  expect(told).toMatchObject({
    npm_config_registry: "https://npm.example/",
    PIP_INDEX_URL: "https://pip.example/",
    SSL_CERT_FILE: "/trust/all.pem",
    NODE_EXTRA_CA_CERTS: "/trust/extra.pem",
  });
});

function presets(env: Record<string, string> = {}) {
  return hostPresets({ env, home: join(root, "home"), root });
}

function file(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
