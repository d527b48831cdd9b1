import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { hostCommand } from "./host-command.ts";

test("lines are reported as they come, from both outputs", async () => {
  const lines: string[] = [];
  await hostCommand("sh", ["-c", "echo one; echo two >&2; printf three"], {
    onLine: (line) => lines.push(line),
  });
  expect(lines.sort()).toEqual(["one", "three", "two"]);
});

test("a failure says how it ended and what was printed last", async () => {
  const failed = hostCommand("sh", ["-c", "seq 100; echo no such thing >&2; exit 3"]);
  const { message } = await failed.then(
    () => new Error("it passed"),
    (error: Error) => error,
  );
  expect(message).toMatch(/^`sh` ended with 3:\n/);
  expect(message).toContain("no such thing");
  expect(message.split("\n").length).toBeLessThan(20);
});

test("a program that isn't there is a sentence", async () => {
  await expect(hostCommand("cove-no-such-program", [])).rejects.toThrow("can't be started: is it installed?");
});

test("one that is told to stop is gone when the call returns, whatever it ignores", async () => {
  const controller = new AbortController();
  let pid = 0;
  const command = hostCommand("sh", ["-c", "trap '' TERM INT; echo $$; while :; do :; done"], {
    signal: controller.signal,
    onLine: (line) => {
      pid = Number(line);
      controller.abort();
    },
  });
  await expect(command).rejects.toThrow(/abort/i);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("standard output can be taken whole, and a taker that fails ends the program", async () => {
  let taken = "";
  await hostCommand("printf", ["a\\nb"], {
    onStdout: async (stdout) => {
      taken = await text(stdout);
    },
  });
  expect(taken).toBe("a\nb");
  const refused = hostCommand("yes", [], { onStdout: () => Promise.reject(new Error("refused")) });
  await expect(refused).rejects.toThrow("refused");
});

test("an environment that is handed in replaces this process's own", async () => {
  const lines: string[] = [];
  await hostCommand("env", [], { env: { http_proxy: "http://a:1" }, onLine: (line) => lines.push(line) });
  expect(lines.map((line) => line.split("=")[0]).sort()).toEqual(["PATH", "http_proxy"]);
});
