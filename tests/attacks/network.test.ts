// SECURITY.md 14–16. Code that wants out: past the proxy, through it to where nobody may go, and with more connections than anybody needs.
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "#sandbox/egress/resolve.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { listen, type Site, site } from "../support/sites.ts";

/** What names of these tests lead to; `open` looks all of them up by DNS. */
const names: Record<string, string[]> = {
  "loopback.example": ["127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "home.example": ["192.168.1.1"],
  "mixed.example": ["93.184.215.14", "10.0.0.1"],
  "six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "link.example": ["fe80::1"],
};
const METADATA = "169.254.169.254";

let secret: Site;
let visits = 0;
let open: Site;
let holding: Site;
let listening: Site;
const heard: Buffer[] = [];
let held = 0;
let mostHeld = 0;
let all: TestSandboxes;

beforeAll(async () => {
  secret = await site((_request, response) => {
    visits++;
    response.end("secret");
  });
  open = await site((request, response) => {
    const to = new URL(request.url ?? "/", "http://open.test").searchParams.get("to");
    if (to) response.writeHead(302, { location: to });
    response.end("open\n");
  });
  holding = await listen(
    createServer((socket) => {
      mostHeld = Math.max(mostHeld, ++held);
      socket.on("error", () => undefined).once("close", () => held--);
    }),
  );
  listening = await listen(createServer((socket) => socket.on("data", (chunk) => heard.push(chunk))));
  const lookup = async (host: string): Promise<Address[]> => {
    const found = host === "open.test" ? ["127.0.0.1"] : names[host];
    if (!found) throw new Error(`${host} is not a name of this test.`);
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  const allow = [open, holding, listening].map(({ port }) => `open.test:${port}`).concat("loopback.example");
  all = await testSandboxes({ egress: { mode: "open", allow, lookup, dnsLookup: lookup } });
});
afterAll(async () => {
  await all?.cleanUp();
  for (const { close } of [secret, open, holding, listening]) await close();
});

/** Runs Python for a user and returns what it printed, as JSON. */
async function python<T>(user: string, code: string): Promise<T> {
  const sandbox = await all.sandboxes.open(user);
  const { stdout, stderr } = await sandbox.run("python3 -", { stdin: code, timeoutMs: 50_000 });
  if (stdout.length === 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

function hostAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
}

describe("14. No way past the proxy", () => {
  test("every address fails at once: the kernel knows no way there", async () => {
    const targets = [
      METADATA,
      "8.8.8.8",
      "172.17.0.1",
      "172.17.0.2",
      "10.0.0.1",
      "fe80::1",
      "2001:4860:4860::8888",
    ];
    const own = hostAddresses().filter((address) => address !== "127.0.0.1" && address !== "::1");
    const results = await python<{ address: string; error: string | null }[]>(
      "ann",
      `
import errno, json, socket
results = []
for address in ${JSON.stringify([...targets, ...own])}:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        error = None
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(5)
                s.connect((address, 53, 0, 1) if family == socket.AF_INET6 and address.startswith("fe80") else (address, 53))
                s.send(b"x")
                s.recv(1)
        except OSError as failure:
            error = "late" if isinstance(failure, TimeoutError) else errno.errorcode.get(failure.errno, str(failure))
        results.append({"address": address, "error": error})
print(json.dumps(results))
`,
    );
    expect(results).toHaveLength(2 * (targets.length + own.length));
    const atOnce = [
      "ENETUNREACH",
      "EHOSTUNREACH",
      "EADDRNOTAVAIL",
      "ECONNREFUSED",
      "EACCES",
      "EPERM",
      "EINVAL",
    ];
    for (const { address, error } of results)
      expect([address, error]).toEqual([address, expect.toBeOneOf(atOnce)]);
  });

  test("there is no interface but loopback, and no name is resolved", async () => {
    expect(await all.sh("ann", "ls /sys/class/net 2>/dev/null; grep -c : /proc/net/dev")).toBe("1");
    expect(await all.sh("ann", "cat /proc/net/route | tail -n +2")).toBe("");
    const error = await python<string>(
      "ann",
      `
import json, socket, threading
answers = []
def ask():
    try:
        answers.append(str(socket.getaddrinfo("pypi.org", 443)))
    except socket.gaierror as failure:
        answers.append("no such name")
asking = threading.Thread(target=ask, daemon=True)
asking.start()
# A resolver that has somebody to ask gives up on them after five seconds.
asking.join(4)
print(json.dumps(answers[0] if answers else "still asking"))
`,
    );
    expect(error).toBe("no such name");
  });

  test("the proxy leads to no address of the host, no private one and no metadata, however it is spelled", async () => {
    const hosts = [
      ...[
        "127.0.0.1",
        "127.1",
        "0.0.0.0",
        "0x7f000001",
        "2130706433",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::]",
      ],
      ...[
        METADATA,
        "[fd00:ec2::254]",
        "[fe80::1]",
        "10.0.0.1",
        "172.17.0.1",
        "192.168.1.1",
        "100.100.100.200",
      ],
      ...hostAddresses().map((address) => (address.includes(":") ? `[${address.split("%")[0]}]` : address)),
      ...Object.keys(names),
    ];
    const answers = await python<{ host: string; status: number }[]>(
      "ann",
      `
import json, socket
answers = []
for host in ${JSON.stringify(hosts)}:
    for request in ("CONNECT {0}:{1} HTTP/1.1\\r\\n\\r\\n", "GET http://{0}:{1}/ HTTP/1.1\\r\\nHost: {0}\\r\\n\\r\\n"):
        with socket.create_connection(("127.0.0.1", 3128), 5) as s:
            s.sendall(request.format(host, ${secret.port}).encode())
            answer = s.recv(1000).decode()
        answers.append({"host": host, "status": int(answer.split()[1])})
print(json.dumps(answers))
`,
    );
    expect(answers).toHaveLength(2 * hosts.length);
    for (const { host, status } of answers)
      expect([host, status]).toEqual([host, expect.toBeOneOf([400, 403, 502])]);
    expect(visits).toBe(0);
  });

  test("TLS that hides the name it asks for behind an allowed one goes nowhere, and the run says why", async () => {
    const hello = (extension: string, patience: number) => `
import socket, ssl
incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
try: ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="open.test").do_handshake()
except ssl.SSLWantReadError: pass
hello = bytearray(outgoing.read())
extension = bytes.fromhex("${extension}")
# The extensions stand last: their length, the message's and the record's grow by the one that is added.
at = 5 + 4 + 34
at += 1 + hello[at]
at += 2 + int.from_bytes(hello[at:at + 2])
at += 1 + hello[at]
for place, size in ((at, 2), (6, 3), (3, 2)):
    hello[place:place + size] = (int.from_bytes(hello[place:place + size]) + len(extension)).to_bytes(size)
with socket.create_connection(("127.0.0.1", 3128), 10) as s:
    s.sendall(b"CONNECT open.test:${listening.port} HTTP/1.1\\r\\n\\r\\n")
    assert b" 200 " in s.recv(1000)
    s.settimeout(${patience})
    s.sendall(bytes(hello) + extension)
    try: print("ended" if s.recv(1) == b"" else "answered")
    except TimeoutError: print("open")
    except ConnectionError: print("ended")
`;
    const ann = await all.sandboxes.open("ann");
    for (const extension of ["fe0d00040001aabb", "ffce00040001aabb"]) {
      const run = await ann.run("python3 -", { stdin: hello(extension, 20), timeoutMs: 30_000 });
      expect([String(run.stderr), String(run.stdout).trim()]).toEqual(["", "ended"]);
      expect(run.deniedHosts).toEqual([
        expect.objectContaining({ host: "open.test", port: listening.port, reason: "name_encrypted" }),
      ]);
    }
    expect(Buffer.concat(heard)).toHaveLength(0);
    // The same message without it is what every program sends.
    expect(String((await ann.run("python3 -", { stdin: hello("", 1) })).stdout)).toBe("open\n");
    await expect.poll(() => Buffer.concat(heard).length, { timeout: 20_000 }).toBeGreaterThan(100);
  });

  test("two sandboxes have no way to each other", async () => {
    const bob = await all.sandboxes.open("bob");
    await bob.run("nohup python3 -m http.server 8080 -b 0.0.0.0 > /dev/null 2>&1 &");
    const listens = () => all.sh("bob", "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/");
    await expect.poll(listens, { timeout: 20_000 }).toBe("200");
    expect(await all.sh("ann", "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/")).toBe("000");
    expect(
      await all.sh("ann", "curl -s --noproxy '' -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/"),
    ).toBe("403");
    await bob.run("pkill -f http.server");
  });
});

const redirects: Record<string, () => string> = {
  "the metadata address": () => `http://${METADATA}/latest/meta-data/`,
  "a name of a private address": () => `http://home.example:${secret.port}/`,
  "the host's loopback by name": () => `http://loopback.example:${secret.port}/`,
  "the host's loopback by number": () => `http://127.0.0.2:${secret.port}/`,
};

describe("15. Names and redirects that lead to private addresses", () => {
  test("an allowed name that leads to a private address is refused, and the run says so", async () => {
    const ann = await all.sandboxes.open("ann");
    const { stdout, deniedHosts } = await ann.run(`curl -sS http://loopback.example:${secret.port}/`);
    expect(String(stdout)).toContain("leads to a private or reserved address");
    expect(deniedHosts).toEqual([
      {
        host: "loopback.example",
        port: secret.port,
        reason: "private_address",
        message: expect.stringContaining("Use a public address"),
      },
    ]);
    expect(visits).toBe(0);
  });

  test.each(Object.entries(redirects))("a redirect to %s is refused", async (_what, target) => {
    const ann = await all.sandboxes.open("ann");
    const to = encodeURIComponent(target());
    const { stdout, deniedHosts } = await ann.run(`curl -sSL 'http://open.test:${open.port}/?to=${to}'`);
    expect(String(stdout)).toContain("private or reserved address");
    expect(deniedHosts.map(({ reason }) => reason)).toEqual(["private_address"]);
    expect(visits).toBe(0);
  });
});

describe("16. Thousands of connections", () => {
  test("three thousand at once are capped, and nobody else notices", async () => {
    await all.sh("bob", "true");
    const flood = python<{ made: number; refused: number; open: number }>(
      "ann",
      `
import json, select, socket, time
poll, made, answers, sockets = select.epoll(), 0, {}, {}
until = time.monotonic() + 6
while time.monotonic() < until:
    while made < 3000 and len(sockets) < 3000:
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", 3128))
        sockets[s.fileno()] = s
        poll.register(s.fileno(), select.EPOLLOUT)
        made += 1
    for fd, events in poll.poll(0.1):
        if events & select.EPOLLOUT:
            sockets[fd].send(b"CONNECT open.test:${holding.port} HTTP/1.1\\r\\n\\r\\n")
            poll.modify(fd, select.EPOLLIN)
        else:
            try:
                answer = sockets[fd].recv(4096)
            except OSError:
                answer = b""
            answers.setdefault(fd, answer[9:12].decode())
            if not answer.startswith(b"HTTP/1.1 200"):
                poll.unregister(fd)
                sockets.pop(fd).close()
codes = list(answers.values())
print(json.dumps({"made": made, "refused": codes.count("429"), "open": codes.count("200")}))
`,
    );
    // Whoever had to wait for all of ann's would wait longer than curl does here.
    for (let round = 0; round < 12; round++) {
      expect(await all.sh("bob", `curl -sS -m 5 http://open.test:${open.port}/`)).toBe("open");
    }
    const result = await flood;
    expect(result.made).toBe(3000);
    expect(result.refused).toBeGreaterThan(100);
    expect(mostHeld).toBeGreaterThan(0);
    expect(mostHeld).toBeLessThanOrEqual(128);
    await expect.poll(() => held).toBe(0);
    const ann = await all.sandboxes.open("ann");
    const after = await ann.run(`curl -sS http://open.test:${open.port}/`);
    expect(String(after.stdout)).toBe("open\n");
  });

  test("connections that come and go without end don't wear the server out", async () => {
    const before = process.cpuUsage();
    const flood = python<number>(
      "ann",
      `
import socket, time
made, until = 0, time.monotonic() + 4
while time.monotonic() < until:
    s = socket.socket()
    s.settimeout(0.5)
    try:
        s.connect(("127.0.0.1", 3128))
        s.send(b"x" * 1000)
        made += 1
    except OSError:
        pass
    s.close()
print(made)
`,
    );
    const made = await flood;
    const { user, system } = process.cpuUsage(before);
    expect(made).toBeGreaterThan(100);
    expect((user + system) / 1e6).toBeLessThan(3);
    // Those that are still in line are refused or served within moments.
    const curl = () => all.sh("ann", `curl -sS http://open.test:${open.port}/`);
    await expect.poll(curl, { timeout: 10_000 }).toBe("open");
  });
});
