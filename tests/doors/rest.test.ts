import { beforeAll, describe, expect, test } from "vitest";
import { withoutSignatures } from "#lib/artifacts/links.ts";
import { type Caller, ownCove } from "../support/caller.ts";
import { executionOfKey } from "../support/execution-of-key.ts";
import { jsonRequest } from "../support/json-request.ts";

const own = ownCove({ COVE_CONCURRENCY: "2" });
let ada: Caller;

beforeAll(async () => {
  ada = await own.caller();
});

describe("running a command", () => {
  test("a non-zero exit is a result", async () => {
    const { status, body } = await ada.execute("execute_bash", { command: "echo out; echo err >&2; exit 3" });
    expect(status).toBe(200);
    expect(body).toEqual({
      execution_id: expect.any(String),
      status: "failed",
      exit_code: 3,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      duration_ms: expect.any(Number),
      artifacts: [],
    });
  });

  test("files stay between calls, shells don't", async () => {
    await ada.execute("execute_bash", { command: "X=1; echo kept > kept.txt" });
    const { body } = await ada.execute("execute_bash", { command: 'cat kept.txt; echo "[$X]"' });
    expect(body.stdout).toBe("kept\n[]\n");
  });

  test("a deadline ends it and says so", async () => {
    const { body } = await ada.execute("execute_bash", { command: "sleep 60", timeout: 0.5 });
    expect(body).toMatchObject({ status: "timeout" });
  });

  test("in the background it is found, waited for and stopped by its id", async () => {
    const { body: first } = await ada.execute("execute_bash", {
      command: "echo on; sleep 1; echo off",
      background: true,
    });
    expect(first.status).toBe("running");
    const { body: ended } = await ada.execute("check_execution", { execution_id: first.execution_id });
    expect(ended).toMatchObject({ status: "completed", stdout: "on\noff\n" });

    const { body: long } = await ada.execute("execute_bash", {
      command: "echo go; sleep 600",
      background: true,
    });
    const { body: stopped } = await ada.execute("stop_execution", { execution_id: long.execution_id });
    expect(stopped).toMatchObject({ status: "cancelled", stdout: "go\n" });
    const { body: again } = await ada.execute("stop_execution", { execution_id: long.execution_id });
    expect(again.status).toBe("cancelled");
  });
});

describe("a line", () => {
  const patience = { timeout: 60_000 };

  test("a run that waits in it is queued, and can be stopped there", async () => {
    const bob = await own.caller();
    const command = (n: number) => `touch on${n}; until [ -e go ]; do sleep 0.1; done`;
    const holding = [1, 2].map((n) => bob.execute("execute_bash", { command: command(n), timeout: 120 }));
    for (const n of [1, 2]) {
      await expect
        .poll(async () => (await bob.execute("read_file", { file_path: `on${n}` })).status, patience)
        .toBe(200);
    }
    const waiting = bob.execute("execute_bash", { command: "touch never" }, { "idempotency-key": "waiting" });
    await expect.poll(() => executionOfKey(own.cove, "waiting"), patience).toBeTruthy();
    const execution_id = await executionOfKey(own.cove, "waiting");
    const check = async () => (await bob.execute("check_execution", { execution_id, wait: 0 })).body.status;
    await expect.poll(check, patience).toBe("queued");
    const { body } = await bob.execute("stop_execution", { execution_id });
    expect(body).toMatchObject({ execution_id, status: "cancelled", exit_code: null });
    expect((await waiting).body).toMatchObject({ execution_id, status: "cancelled" });
    await bob.execute("write_file", { file_path: "go", content: "" });
    expect((await Promise.all(holding)).map(({ body }) => body.status)).toEqual(["completed", "completed"]);
    expect((await bob.execute("read_file", { file_path: "never" })).status).toBe(404);
  });

  test("that is full is refused at once with when to come back, streamed or not", async () => {
    const eve = await own.caller();
    const call = { name: "execute_bash", arguments: { command: "until [ -e go ]; do sleep 0.1; done" } };
    const send = (door: string) => fetch(own.cove.url + door, jsonRequest(eve.token, call));
    const refused: Response[] = [];
    // Two run and a hundred wait; none of them ends before it is told to.
    const calls = Array.from({ length: 110 }, async () => {
      const response = await send("/execute");
      if (response.status === 429) refused.push(response);
      return response;
    });
    await expect.poll(() => refused.length, { timeout: 60_000 }).toBe(8);
    for (const { headers } of [...refused, await send("/execute/stream")]) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await send("/execute/stream")).status).toBe(429);
    // What runs no program needs no turn.
    expect((await eve.execute("write_file", { file_path: "go", content: "" })).status).toBe(200);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(102);
  });
});

describe("Python", () => {
  test("asked for again, a cell that has ended is what it was at first", async () => {
    const code = "import pandas as pd\nprint('p')\ndisplay(pd.DataFrame({'a': [1]}))\n{'a': 1}";
    const { body } = await ada.execute("execute_python", { code, session: "again", timeout: 60 });
    expect(body.results.length).toBeGreaterThan(1);
    const again = await ada.execute("check_execution", { execution_id: body.execution_id });
    // But for its links, which are signed anew.
    expect(unsigned(again.body)).toEqual(unsigned(body));
  });

  test("remembers, shows the last value, and says when it has forgotten", async () => {
    await ada.execute("execute_python", { code: "import pandas as pd\nx = 20" });
    const { body } = await ada.execute("execute_python", { code: "print('twice:')\nx * 2 + 2" });
    expect(body).toMatchObject({
      status: "completed",
      stdout: "twice:\n",
      session: "default",
      restarted: false,
      results: [{ mime: "text/plain", text: "42" }],
    });
    expect((await ada.execute("reset_session")).body).toEqual({ session: "default", existed: true });
    const gone = await ada.execute("execute_python", { code: "x" });
    expect(gone.body).toMatchObject({ status: "failed", stderr: expect.stringContaining("NameError") });
  });

  test("keeps sessions apart, and lists them", async () => {
    await ada.execute("execute_python", { code: "y = 1", session: "one" });
    await ada.execute("execute_python", { code: "y = 2", session: "two" });
    const { body } = await ada.execute("execute_python", { code: "y", session: "one" });
    expect(body.results).toEqual([{ mime: "text/plain", text: "1" }]);
    const { sessions } = (await ada.execute("sandbox_info")).body;
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["one", "two"]),
    );
  });

  test("packages are checked, and what can't be a requirement is refused", async () => {
    const { body } = await ada.execute("list_installed_packages", {
      packages: ["pandas", "sklearn", "no-such-package"],
    });
    expect(body.packages.map(({ installed }: { installed: boolean }) => installed)).toEqual([
      true,
      true,
      false,
    ]);
    const refused = await ada.execute("install_dependencies", { packages: ["--index-url=http://x/"] });
    expect(refused.status).toBe(400);
  });
});

describe("the network", () => {
  test("what the policy refuses comes back with the run", async () => {
    const { body } = await ada.execute("execute_bash", { command: "curl -sS http://example.com/ || true" });
    expect(body.denied_hosts).toMatchObject([{ host: "example.com", port: 80, reason: "host_not_allowed" }]);
  });

  test("the npm registry can be reached", async () => {
    const command =
      "mkdir -p n && cd n && npm install --silent is-odd && node -e 'console.log(require(\"is-odd\")(3))'";
    const { body } = await ada.execute("execute_bash", { command, timeout: 60 });
    expect(body).toMatchObject({ status: "completed", stdout: "true\n" });
  });
});

describe("files", () => {
  test("are written, read in part, edited and listed", async () => {
    const written = await ada.execute("write_file", {
      file_path: "deep/er/a.txt",
      content: "one\ntwo\nthree\n",
    });
    expect(written.body).toEqual({ file_path: "deep/er/a.txt", bytes_written: 14, size: 14 });
    const part = await ada.execute("read_file", { file_path: "deep/er/a.txt", offset: 1, line_count: 1 });
    expect(part.body).toMatchObject({ content: "two", line_count: 1, total_lines: 3 });
    const edited = await ada.execute("edit_file", {
      file_path: "deep/er/a.txt",
      old_text: "two",
      new_text: "2",
    });
    expect(edited.body).toMatchObject({ replacements: 1 });
    const { body } = await ada.execute("list_files", { path: "deep", depth: 2 });
    expect(body.entries.map(({ path }: { path: string }) => path)).toEqual(["er", "er/a.txt"]);
  });

  test("an edit that is not exactly one place is refused with what to do", async () => {
    await ada.execute("write_file", { file_path: "twice.txt", content: "x x" });
    const twice = await ada.execute("edit_file", { file_path: "twice.txt", old_text: "x", new_text: "y" });
    expect(twice).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("occurs 2 times") } },
    });
    const never = await ada.execute("edit_file", { file_path: "twice.txt", old_text: "z", new_text: "y" });
    expect(never).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("does not occur") } },
    });
  });

  test("outside the workspace nothing is read or written", async () => {
    expect((await ada.execute("read_file", { file_path: "/proc/1/environ" })).status).toBe(400);
    expect((await ada.execute("read_file", { file_path: "/workspace/../etc/hostname" })).status).toBe(400);
    expect((await ada.execute("write_file", { file_path: "/skills/x", content: "" })).status).toBe(403);
    expect((await ada.execute("read_file", { file_path: "nowhere.txt" })).status).toBe(404);
  });

  test("a docstring is read without running the file", async () => {
    const content =
      'raise SystemExit("ran")\nclass T:\n    def load(self, path: str) -> int:\n        """Loads."""\n';
    await ada.execute("write_file", { file_path: "m.py", content });
    const { body } = await ada.execute("read_docstring", { file_path: "m.py", function_name: "T.load" });
    expect(body).toMatchObject({ signature: "T.load(self, path: str) -> int", docstring: "Loads." });
  });
});

describe("other people", () => {
  test("have other files, and nobody's id opens anything", async () => {
    const bob = await own.caller();
    await ada.execute("write_file", { file_path: "secret.txt", content: "ada's" });
    expect((await bob.execute("read_file", { file_path: "secret.txt" })).status).toBe(404);
    const { body } = await ada.execute("execute_bash", { command: "sleep 5", background: true });
    expect((await bob.execute("check_execution", { execution_id: body.execution_id })).status).toBe(404);
    expect((await bob.execute("stop_execution", { execution_id: body.execution_id })).status).toBe(404);
    const { body: still } = await ada.execute("check_execution", {
      execution_id: body.execution_id,
      wait: 0,
    });
    expect(still.status).toBe("running");
  });
});

function unsigned(view: unknown): unknown {
  return JSON.parse(withoutSignatures(JSON.stringify(view)));
}
