// SECURITY.md 14 to 16 with a whole server: what people hear of what was refused, and whether anybody else notices.
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { listen, site } from "../support/sites.ts";

const METADATA = "169.254.169.254";
let held = 0;
let mostHeld = 0;
const holding = await listen(
  createServer((socket) => {
    mostHeld = Math.max(mostHeld, ++held);
    socket.on("error", () => undefined).once("close", () => held--);
  }),
);
const redirecting = await site((_request, response) => {
  response.writeHead(302, { location: `http://${METADATA}/latest/meta-data/` }).end();
});
const allow = [holding, redirecting].map(({ port }) => `127.0.0.1:${port}`);
const own = ownCove({ COVE_EGRESS: "open", COVE_EGRESS_ALLOW: allow.join() });
let ada: Caller;
let bob: Caller;
beforeAll(async () => {
  [ada, bob] = await Promise.all([own.caller(), own.caller()]);
  await Promise.all([ada, bob].map((who) => who.execute("execute_bash", { command: "true" })));
});
afterAll(async () => {
  for (const { close } of [holding, redirecting]) await close();
});

describe("14. No way past the proxy", () => {
  test.each([METADATA, "172.17.0.1", "10.0.0.1", "8.8.8.8", "[fe80::1%25lo]", "[2001:4860:4860::8888]"])(
    "%s can't be reached around it, and nobody waits for that",
    async (address) => {
      const command = `curl -sS --noproxy '*' -m 20 http://${address}/ 2>&1; echo $?`;
      const { body } = await ada.execute("execute_bash", { command });
      // 7: no connection. 28 would mean that it waited.
      expect(body.stdout).toMatch(/\n7\n$/);
    },
  );
});

describe("15. Names and redirects that lead to private addresses", () => {
  test.each([
    ["the metadata address", `http://${METADATA}/`, METADATA],
    ["the host's own loopback, on a port nobody named", "http://127.0.0.2:1/", "127.0.0.2"],
    ["a redirect to the metadata address", `http://${allow[1]}/`, METADATA],
  ])("%s is refused, and the run says so", async (_what, url, host) => {
    const { body } = await ada.execute("execute_bash", {
      command: `env -u NO_PROXY -u no_proxy curl -sSL '${url}'`,
    });
    expect(body.denied_hosts).toEqual([expect.objectContaining({ host, reason: "private_address" })]);
    expect(body.stdout).toContain("private or reserved address");
  });
});

describe("16. Thousands of connections", () => {
  test("are capped, while /health, a page and another user's commands answer as ever", async () => {
    const flood = `import json, select, socket, time
poll, answers, sockets = select.epoll(), [], {}
for _ in range(3000):
    s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", 3128))
    sockets[s.fileno()] = s; poll.register(s.fileno(), select.EPOLLOUT)
until = time.monotonic() + 8
while time.monotonic() < until:
    for fd, events in poll.poll(0.1):
        if events & select.EPOLLOUT:
            sockets[fd].send(b"CONNECT ${allow[0]} HTTP/1.1\\r\\n\\r\\n"); poll.modify(fd, select.EPOLLIN)
            continue
        try: answer = sockets[fd].recv(4096)
        except OSError: answer = b""
        answers.append(answer[9:12].decode())
        if answer[9:12] != b"200": poll.unregister(fd); sockets.pop(fd).close()
print(json.dumps({code: answers.count(code) for code in set(answers)}))`;
    const flooding = ada.execute("execute_bash", {
      command: `python3 - <<'CODE'\n${flood}\nCODE`,
      timeout: 60,
    });
    let over = false;
    const end = flooding.finally(() => {
      over = true;
    });
    const slowest = { health: 0, page: 0, command: 0 };
    const timed = async (what: keyof typeof slowest, ask: () => Promise<unknown>) => {
      const started = performance.now();
      expect([what, await ask()]).toEqual([what, 200]);
      slowest[what] = Math.max(slowest[what], performance.now() - started);
    };
    while (!over) {
      await timed("health", async () => (await fetch(`${own.cove.url}/health`)).status);
      await timed("page", async () => (await fetch(`${own.cove.url}/sign-in`)).status);
      await timed("command", async () => (await bob.execute("execute_bash", { command: "true" })).status);
      await sleep(100);
    }
    const { body } = await end;
    const codes = JSON.parse(body.stdout);
    expect(mostHeld).toBeGreaterThan(0);
    expect(mostHeld).toBeLessThanOrEqual(128);
    expect(codes["429"]).toBeGreaterThan(100);
    for (const [what, ms] of Object.entries(slowest)) expect([what, ms < 2000]).toEqual([what, true]);
  });
});
