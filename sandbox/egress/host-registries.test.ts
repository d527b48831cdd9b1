import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostRegistries, npmRegistries, pipRegistries } from "./host-registries.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "host-registries-"));
});

afterEach(() => rmSync(root, { recursive: true }));

test("npm's registry and those of scopes are found, credentials are not kept", () => {
  const npmrc = [
    "; a comment",
    "# registry=https://commented.example/",
    "registry = https://user:secret@npm.example/path/",
    '@scope:registry="http://scoped.example:4873/"',
    "//npm.example/:_authToken=secret",
    "always-auth=true",
    "registry=not a url",
  ].join("\r\n");
  expect(npmRegistries(npmrc)).toEqual([
    { scheme: "https", host: "npm.example", port: 443 },
    { scheme: "http", host: "scoped.example", port: 4873 },
  ]);
});

test("variables in an .npmrc are those handed in", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is npm's own syntax
  const npmrc = "registry=https://${NPM_HOST}/";
  expect(npmRegistries(npmrc, { NPM_HOST: "npm.example" })).toEqual([
    { scheme: "https", host: "npm.example", port: 443 },
  ]);
  expect(npmRegistries(npmrc)).toEqual([]);
});

test("pip's indexes are found in a pip.conf, several per setting", () => {
  const conf = [
    "[global]",
    "timeout = 60",
    "index-url = https://user:secret@index.example/simple",
    "extra-index-url =",
    "    https://one.example/simple",
    "    # not this: https://commented.example/simple",
    "    http://two.example:8080/simple",
    "trusted-host = two.example",
    "find-links = https://links.example/",
    "[install]",
    "extra_index_url: https://three.example/simple https://four.example/simple",
  ].join("\n");
  expect(pipRegistries(conf).map(({ host, port }) => `${host}:${port}`)).toEqual([
    "index.example:443",
    "one.example:443",
    "two.example:8080",
    "three.example:443",
    "four.example:443",
  ]);
});

test("pip's indexes are found in what `pip config list` prints", () => {
  const list =
    "global.index-url='https://index.example/simple'\n:env:.extra-index-url='https://a.example/ https://b.example/'\nglobal.timeout='5'\n";
  expect(pipRegistries(list).map(({ host }) => host)).toEqual(["index.example", "a.example", "b.example"]);
});

test("files and variables of the host are read together, each registry once", async () => {
  write("home/.npmrc", "registry=https://npm.example/\n");
  write("project/.npmrc", "registry=https://npm.example/\n@a:registry=https://scope.example/\n");
  write("etc/pip.conf", "[global]\nindex-url = http://pip.example:3141/root/pypi/\n");
  write("home/.config/pip/pip.conf", "[global]\nextra-index-url = https://more.example/\n");
  const env = {
    NPM_CONFIG_REGISTRY: "https://variable.example/",
    PIP_EXTRA_INDEX_URL: "https://more.example/ ftp://no.example/",
    UV_INDEX: "corp=https://uv.example/simple",
  };
  const found = await hostRegistries({ env, home: join(root, "home"), project: join(root, "project"), root });
  expect(found.map(({ scheme, host, port }) => `${scheme}://${host}:${port}`)).toEqual([
    "https://npm.example:443",
    "https://scope.example:443",
    "https://more.example:443",
    "http://pip.example:3141",
    "https://variable.example:443",
    "https://uv.example:443",
  ]);
});

test("a host without configuration has none", async () => {
  expect(await hostRegistries({ env: {}, home: join(root, "nobody"), root })).toEqual([]);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
