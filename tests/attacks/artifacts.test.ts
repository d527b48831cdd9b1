// What code makes is shown in browsers and handed to others: it must not become ours, nor carry what isn't its own.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { serverGrowth } from "../support/server-memory.ts";
import { sessionCookie } from "../support/session-cookie.ts";

const MB = 2 ** 20;
const own = ownCove();
let ada: Caller;
let cookie: string;

interface Artifact {
  id: string;
  path: string;
  url: string;
}

beforeAll(async () => {
  ada = await own.caller();
  cookie = await sessionCookie(own.cove.url, ada.email);
});

describe("29. Pages and drawings that code made", () => {
  const active = {
    "page.html": "<script>fetch('/api/artifacts')</script>",
    "PAGE.HTM": "<script>1</script>",
    "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
  };
  let artifacts: Artifact[];
  beforeAll(async () => {
    const writes = Object.entries(active).map(([name, text]) => `cat > ${name} <<'END'\n${text}\nEND`);
    artifacts = await made(writes.join("\n"));
    expect(artifacts).toHaveLength(3);
  });

  test("has no origin and no scripts at its own address, however it is asked for", async () => {
    for (const { id, url } of artifacts) {
      const bare = `${own.cove.url}/artifacts/${id}/x`;
      const framed = { cookie, "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
      for (const answer of [await fetch(url), await fetch(bare, { headers: framed })]) {
        const policy = policyOf(answer);
        expect(answer.status).toBe(200);
        expect(policy.get("sandbox")).toBe("");
        expect(policy.get("default-src")).toBe("'none'");
        expect(policy.get("form-action")).toBe("'none'");
        expect(policy.get("frame-ancestors")).toBe("'none'");
        expect(policy.has("script-src")).toBe(false);
        expect(answer.headers.get("connection-allowlist")).toBe("()");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    }
  });

  test("runs its scripts only in our viewer's frame, where nothing leaves", async () => {
    const ours = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
    for (const { id, path } of artifacts) {
      const preview = `${own.cove.url}/artifacts/${id}/x/preview`;
      const ask = (headers: Record<string, string>, query = "?run") =>
        fetch(preview + query, { headers: { cookie, ...headers } });
      expect(policyOf(await ask(ours, "")).get("sandbox")).toBe("");
      const answer = await ask(ours);
      const framed = policyOf(answer);
      expect(answer.headers.get("connection-allowlist")).toBe("()");
      // A drawing is shown as a picture, so nobody needs its scripts.
      expect([path, framed.get("sandbox")]).toEqual([path, path.endsWith(".svg") ? "" : "allow-scripts"]);
      if (path.endsWith(".svg")) continue;
      for (const kind of ["frame-src", "child-src", "worker-src", "object-src", "base-uri"]) {
        expect([kind, framed.get(kind)]).toEqual([kind, "'none'"]);
      }
      expect(framed.get("connect-src")).toBe("'none'");
      expect(framed.get("form-action")).toBe("'none'");
      expect(framed.get("frame-ancestors")).toBe("'self'");
      expect([...framed.values()].join(" ")).not.toMatch(/https?:|\*|allow-same-origin|allow-top/);
      expect(answer.headers.get("x-frame-options")).toBeNull();
      expect(answer.headers.get("set-cookie")).toBeNull();
      const others: Record<string, string>[] = [
        {},
        { "sec-fetch-dest": "document", "sec-fetch-site": "none" },
        { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" },
      ];
      for (const headers of others) expect(policyOf(await ask(headers)).get("sandbox")).toBe("");
    }
  });

  test("is framed by a page that lets in nothing but ours", async () => {
    const [{ id }] = artifacts as [Artifact];
    for (const place of [`/artifacts/${id}`, "/artifacts", "/chat"]) {
      const page = await fetch(own.cove.url + place, { headers: { cookie } });
      expect([place, page.status, policyOf(page).get("frame-src")]).toEqual([place, 200, "'self'"]);
      expect(policyOf(page).get("frame-ancestors")).toBe("'none'");
    }
  });

  test("has a preview for its owner's session alone", async () => {
    const [{ id, url }] = artifacts as [Artifact];
    const preview = `${own.cove.url}/artifacts/${id}/x/preview`;
    expect((await fetch(preview)).status).toBe(401);
    expect((await fetch(preview, { headers: { authorization: `Bearer ${ada.token}` } })).status).toBe(401);
    expect((await fetch(url.replace("?", "/preview?"))).status).toBe(401);
    const other = await own.caller();
    const foreign = await sessionCookie(own.cove.url, other.email);
    expect((await fetch(preview, { headers: { cookie: foreign } })).status).toBe(404);
  });

  test("under another name is what its name says, and nobody guesses", async () => {
    const html = "<script>1</script>";
    const files = await made(`for n in a.txt b.py c.js d e.json f.xml; do echo '${html}' > $n; done`);
    for (const { url } of files) {
      const { headers } = await fetch(url);
      expect(headers.get("content-type")).toMatch(/^(text\/plain|application\/json);/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

describe("17. What is no regular file of the workspace", () => {
  test("links, pipes, sockets and devices become nobody's artifact, and nobody waits for them", async () => {
    const command = `ln -s /etc/passwd link.txt; ln -s /proc/1/environ environ.txt; ln -s /dev/zero zero.bin
      mkfifo pipe.txt; ln -s /etc linked; mkdir real; ln -s /etc/passwd real/inner.txt
      python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('socket.txt')"; echo real > real/file.txt`;
    const artifacts = await made(command);
    expect(artifacts.map(({ path }) => path)).toEqual(["/workspace/real/file.txt"]);
  });
});

describe("18. Swapped directories, planted links and hostile archives", () => {
  test("a file that turns into a link again and again is a file or nothing", async () => {
    const swap = `import os, time
end = time.monotonic() + 20
while time.monotonic() < end and not os.path.exists("stop"):
    try:
        for source in ("secret", "plain"):
            if source == "secret": os.symlink("/etc/passwd", "next")
            else: open("next", "w").write("plain")
            os.replace("next", "swapped.txt")
        os.rename("folder", "away"); os.symlink("/etc", "folder"); os.unlink("folder"); os.rename("away", "folder")
    except OSError: pass`;
    await made("mkdir -p folder; echo plain > folder/passwd");
    await ada.execute("execute_bash", {
      command: `python3 - <<'END'\n${swap}\nEND`,
      background: true,
      timeout: 60,
    });
    const found: Artifact[] = [];
    for (let round = 0; round < 12; round++) {
      const command = "sleep 0.05; for i in 1 2 3; do echo plain > folder/passwd; done 2> /dev/null; true";
      const { body } = await ada.execute("execute_bash", { command });
      expect(body.status).toBe("completed");
      found.push(...body.artifacts);
    }
    await ada.execute("execute_bash", { command: "touch stop" });
    const texts = await Promise.all(found.map(async ({ url }) => (await fetch(url)).text()));
    for (const text of texts) expect(text).not.toContain("root:");
  });
});

describe("20. Large downloads to slow clients", () => {
  test("a file that grows while it is copied costs no memory, and the run ends", async () => {
    const grow = "nohup sh -c 'while head -c 1M /dev/zero >> growing.bin; do :; done' > /dev/null 2>&1 &";
    // Once before, so that what is loaded on first use is no growth.
    await made("head -c 20M /dev/zero > still.bin");
    const { grown, result } = await serverGrowth(own.cove, () =>
      ada.execute("execute_bash", { command: `${grow} sleep 0.2`, timeout: 60 }),
    );
    expect(result.body.status).toBe("completed");
    expect(grown).toBeLessThan(50 * MB);
    await ada.execute("execute_bash", { command: "pkill -9 head; pkill -9 sh; rm -f growing.bin" });
  });

  test("ten slow readers of a large artifact cost next to nothing, and the server goes on", async () => {
    const [large] = await made("truncate -s 90M large.bin");
    const url = large?.url ?? "";
    // Once before, so that what is loaded on first use is no growth.
    await (await fetch(url)).arrayBuffer();
    const { grown } = await serverGrowth(own.cove, async () => {
      const readers = await Promise.all(
        Array.from({ length: 10 }, async () => (await fetch(url)).body?.getReader()),
      );
      for (let round = 0; round < 10; round++) {
        await Promise.all(readers.map((reader) => reader?.read()));
        await sleep(200);
      }
      expect((await fetch(`${own.cove.url}/health`)).status).toBe(200);
      await Promise.all(readers.map((reader) => reader?.cancel()));
    });
    expect(grown).toBeLessThan(50 * MB);
  });
});

async function made(command: string): Promise<Artifact[]> {
  const { body } = await ada.execute("execute_bash", { command });
  expect(body).toMatchObject({ status: "completed", stderr: "" });
  return body.artifacts;
}

function policyOf({ headers }: Response): Map<string, string> {
  const parts = (headers.get("content-security-policy") ?? "").split("; ");
  return new Map(
    parts.map((part) => {
      const [name = "", ...values] = part.split(" ");
      return [name, values.join(" ")];
    }),
  );
}
