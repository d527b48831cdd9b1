// The way out of real containers: programs in them through the pipe to sites of this test, as far as the rules allow.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress, type Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { type Certificate, type Site, selfSigned, site, testLookup } from "../support/sites.ts";

let certificate: Certificate;
let plain: Site;
let secure: Site;
let mirror: Site;
let fixture: TestSandboxes;
let ann: Sandbox;

beforeAll(async () => {
  certificate = await selfSigned("secure.test");
  plain = await site((request, response) => {
    if (request.method === "GET") return response.end(`plain ${request.url}\n`);
    return request.pipe(response);
  });
  secure = await site((request, response) => response.end(`secure ${request.url}\n`), certificate);
  mirror = await site((_request, response) => response.end("a package\n"));
  fixture = await testSandboxes({
    egress: {
      mode: "packages",
      allow: [`plain.test:${plain.port}`, `secure.test:${secure.port}`],
      registries: [{ scheme: "http", host: "mirror.test", port: mirror.port }],
      lookup: testLookup,
      dnsLookup: testLookup,
    },
    presets: { ca: certificate.cert },
  });
  ann = await fixture.sandboxes.open("ann");
});
afterAll(async () => {
  await fixture?.cleanUp();
  for (const { close } of [plain, secure, mirror]) await close();
});

const python = (code: string) => ann.run("python3 -", { stdin: code });
const text = async (command: string) => String((await ann.run(command)).stdout);

test("curl reaches a site that was named, plainly, through a tunnel and with TLS", async () => {
  expect(await text(`curl -sS http://plain.test:${plain.port}/a`)).toBe("plain /a\n");
  expect(await text(`curl -sSp http://plain.test:${plain.port}/b`)).toBe("plain /b\n");
  expect(await text(`curl -sS https://secure.test:${secure.port}/c`)).toBe("secure /c\n");
});

test("a large body goes out and comes back whole", async () => {
  const command = `head -c 20000000 /dev/urandom > sent
curl -sS --data-binary @sent -o back http://plain.test:${plain.port}/echo && cmp sent back && echo same`;
  expect(await text(command)).toBe("same\n");
});

test("Python's own client and requests find the way, and trust the operator's certificate", async () => {
  const { stdout, stderr } = await python(`
import urllib.request, requests
for base in ("http://plain.test:${plain.port}", "https://secure.test:${secure.port}"):
    print(urllib.request.urlopen(base + "/u").read().decode().strip())
    print(requests.get(base + "/r").text.strip())
`);
  expect(String(stderr)).toBe("");
  expect(String(stdout)).toBe("plain /u\nplain /r\nsecure /u\nsecure /r\n");
});

test("Node reaches a site with TLS through a tunnel", async () => {
  const script = `const http = require("http"), tls = require("tls");
http.request({ host: "127.0.0.1", port: 3128, method: "CONNECT", path: "secure.test:${secure.port}" })
  .on("connect", (_, socket) => {
    const site = tls.connect({ socket, servername: "secure.test" }, () => site.end("GET /n HTTP/1.0\\r\\n\\r\\n"));
    site.on("data", (chunk) => process.stdout.write(chunk));
  }).end();`;
  expect(String((await ann.run("node -", { stdin: script })).stdout)).toContain("secure /n");
});

test("a program's own loopback stays its own", async () => {
  const command = `python3 -m http.server 8000 -d /tmp > /dev/null 2>&1 & pid=$!
for i in $(seq 50); do curl -sf -o /dev/null http://localhost:8000/ && echo mine && break; sleep 0.1; done; kill $pid`;
  expect(await text(command)).toBe("mine\n");
});

test("what isn't allowed is refused with a sentence, and comes back with the run", async () => {
  const result = await ann.run(
    "curl -sS http://example.com/; curl -sS https://example.com/; curl -s https://example.com/",
  );
  expect(String(result.stdout)).toContain("Access to example.com:80 is not allowed.");
  expect(String(result.stderr)).toContain("403");
  expect(result.deniedHosts).toEqual([
    {
      host: "example.com",
      port: 80,
      reason: "host_not_allowed",
      message: expect.stringContaining("operator"),
    },
    {
      host: "example.com",
      port: 443,
      reason: "host_not_allowed",
      message: expect.stringContaining("operator"),
    },
  ]);
  expect((await ann.run("true")).deniedHosts).toEqual([]);
});

test("an exception in Python is explained by the run's denials", async () => {
  const { stderr, deniedHosts } = await python("import requests; requests.get('https://api.example.com/')");
  expect(String(stderr)).toContain("ProxyError");
  expect(deniedHosts.map(({ host, port }) => `${host}:${port}`)).toEqual(["api.example.com:443"]);
});

test("a cell of a Python session reaches what is allowed and comes with what was denied", async () => {
  const code = `import requests
print(requests.get("https://secure.test:${secure.port}/cell").text.strip())
try:
    requests.get("https://cell.example/")
except requests.exceptions.ProxyError:
    print("refused")`;
  const { stdout, deniedHosts } = await ann.python(code);
  expect(String(stdout)).toBe("secure /cell\nrefused\n");
  expect(deniedHosts.map(({ host }) => host)).toEqual(["cell.example"]);
});

test("a run that is followed later has its denials too", async () => {
  const command = `curl -s https://early.example/; echo early
until [ -e go-on ]; do sleep 0.05; done; curl -s https://late.example/`;
  const { executionId } = await ann.run(command, { background: true, keep: true });
  const soFar = async () => {
    const { stdout, deniedHosts } = await ann.attach(executionId, { waitMs: 0, keep: true });
    return [String(stdout), ...deniedHosts.map(({ host }) => host)];
  };
  await expect.poll(soFar, { timeout: 30_000 }).toEqual(["early\n", "early.example"]);
  await ann.files.write("go-on", "");
  const end = await ann.attach(executionId);
  expect(end.deniedHosts.map(({ host }) => host)).toEqual(["early.example", "late.example"]);
});

test("denials are those of one's own sandbox", async () => {
  const bob = await fixture.sandboxes.open("bob");
  const [mine, theirs] = await Promise.all([
    ann.run("curl -s https://ann.example/; sleep 0.5"),
    bob.run("curl -s https://bob.example/; sleep 0.5"),
  ]);
  expect(mine.deniedHosts.map(({ host }) => host)).toEqual(["ann.example"]);
  expect(theirs.deniedHosts.map(({ host }) => host)).toEqual(["bob.example"]);
});

test("a registry is read and not written to", async () => {
  const url = `http://mirror.test:${mirror.port}/package`;
  expect(await text(`curl -sS ${url}`)).toBe("a package\n");
  const { stdout, deniedHosts } = await ann.run(`curl -sS -d secrets ${url}`);
  expect(String(stdout)).toContain("can only be read");
  expect(deniedHosts).toMatchObject([{ host: "mirror.test", port: mirror.port, reason: "read_only" }]);
});

test("a sandbox that nobody owns yet reaches nothing, and its owner everything that is allowed", async () => {
  const served: string[] = [];
  const opened = openEgress({ mode: "packages", allow: [`plain.test:${plain.port}`], lookup: testLookup });
  const egress = {
    ...opened,
    serve: (...args: Parameters<typeof opened.serve>) => {
      served.push(args[0]);
      return opened.serve(...args);
    },
  };
  const pooled = await testSandboxes({ warmPool: 1, egress });
  try {
    const warm = () => pooled.sandboxes.list().then(([first]) => first?.state);
    await expect.poll(warm, { timeout: 60_000 }).toBe("warm");
    const [container] = await pooled.containers();
    const curl = ["curl", "-sS", "--max-time", "5", `http://plain.test:${plain.port}/`];
    const exec = await pooled.docker
      .getContainer(container?.Id ?? "")
      .exec({ Cmd: curl, AttachStderr: true });
    const stream = await exec.start({});
    stream.resume();
    await new Promise((resolve) => stream.once("end", resolve));
    // Refused, or hung up on before or after it has sent its request; 28 would mean that it had to wait.
    expect([7, 52, 56]).toContain((await exec.inspect()).ExitCode);
    expect(served).toEqual([]);
    expect(await pooled.sh("cat", `curl -sS http://plain.test:${plain.port}/`)).toBe("plain /");
    expect(served).toEqual(["cat"]);
  } finally {
    await pooled.cleanUp();
    opened.close();
  }
});

test("with egress off nothing is reached but what the operator named", async () => {
  const off = await testSandboxes({
    egress: { mode: "off", allow: [`plain.test:${plain.port}`], lookup: testLookup },
  });
  try {
    const dan = await off.sandboxes.open("dan");
    const refused = await dan.run("curl -sS http://pypi.org/");
    expect(String(refused.stdout)).toContain("This sandbox has no network.");
    expect(refused.deniedHosts).toMatchObject([{ host: "pypi.org", reason: "egress_off" }]);
    expect(await off.sh("dan", `curl -sS http://plain.test:${plain.port}/`)).toBe("plain /");
  } finally {
    await off.cleanUp();
  }
});
