import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostMirrors, parseProxies } from "./host-apt.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "host-apt-"));
  write("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n');
});

afterEach(() => rmSync(root, { recursive: true }));

test("both formats of a Debian host are read, sources.list first", async () => {
  write("etc/apt/sources.list.d/vendor.list", "deb https://vendor.example bookworm main\n");
  write(
    "etc/apt/sources.list.d/z.sources",
    "Types: deb\nURIs: http://z.example/debian\nSuites: stable\nComponents: main\n",
  );
  expect(await hostMirrors(root)).toEqual({ main: "http://z.example/debian" });
  write("etc/apt/sources.list", "deb http://a.example/debian bookworm main\n");
  expect(await hostMirrors(root)).toEqual({ main: "http://a.example/debian" });
});

test("files apt itself ignores are ignored", async () => {
  write("etc/apt/sources.list.d/debian.list.save", "deb http://a.example/debian bookworm main\n");
  expect(await hostMirrors(root)).toEqual({});
});

test("a list of mirrors in a file is followed to its first one", async () => {
  write(
    "etc/apt/sources.list.d/debian.sources",
    "Types: deb\nURIs: mirror+file:///etc/apt/mirrors/debian.list\nSuites: bookworm bookworm-updates\nComponents: main\n",
  );
  write(
    "etc/apt/mirrors/debian.list",
    "# best first\nhttps://one.example/debian\tpriority:1\nhttps://two.example/debian\n",
  );
  expect(await hostMirrors(root)).toEqual({ main: "https://one.example/debian" });
});

test("an Ubuntu host's configuration says nothing about Debian", async () => {
  write("etc/os-release", "ID=ubuntu\nID_LIKE=debian\n");
  write("etc/apt/sources.list", "deb http://a.example/debian bookworm main\n");
  expect(await hostMirrors(root)).toEqual({});
});

test("a host without apt has no mirrors", async () => {
  expect(await hostMirrors(root)).toEqual({});
  expect(await hostMirrors(join(root, "nowhere"))).toEqual({});
});

test("apt's proxies are found, and https follows http unless it has its own", () => {
  expect(parseProxies('Acquire::http::Proxy "http://proxy.example:3128";\n')).toEqual({
    http_proxy: "http://proxy.example:3128",
    https_proxy: "http://proxy.example:3128",
  });
  expect(
    parseProxies(
      'Acquire::http "";\nacquire::HTTP::proxy "http://a:1/";\nAcquire::https::Proxy "http://b:2/";\n',
    ),
  ).toEqual({ http_proxy: "http://a:1/", https_proxy: "http://b:2/" });
});

test("no proxy, a direct connection and a proxy for one host only are none", () => {
  expect(parseProxies("")).toEqual({});
  expect(parseProxies('Acquire::http::Proxy "DIRECT";\nAcquire::https::Proxy "false";\n')).toEqual({});
  expect(parseProxies('Acquire::http::Proxy::one.example "http://a:1/";\n')).toEqual({});
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
