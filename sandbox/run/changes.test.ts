// Which files a run changed, told by a real daemon on this machine.
import { closeSync, openSync, unlinkSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type LocalCoved, startLocalCoved } from "../../tests/support/local-coved.ts";
import { connectPipe, type Pipe } from "../pipe/pipe.ts";
import { Sandbox } from "../sandbox.ts";
import type { RunResult } from "../types.ts";

let coved: LocalCoved;
let pipe: Pipe;
let sandbox: Sandbox;
beforeAll(async () => {
  coved = await startLocalCoved();
  pipe = await connectPipe({ dial: coved.dial });
  sandbox = new Sandbox({ id: "local", use: (work) => work(pipe) });
});
afterAll(async () => {
  pipe.close();
  await coved.stop();
});
beforeEach(async () => {
  await sandbox.run("find . -mindepth 1 -delete");
}, 60_000);

test("a run that changes nothing has no changes, reading included", async () => {
  await run("echo a > a.txt");
  expect(await changed("cat a.txt; ls; stat a.txt; touch /tmp/elsewhere-$$")).toEqual([]);
});

test("created, overwritten, appended and truncated files are told with their size", async () => {
  await run("for name in over append cut keep; do echo some text > $name; done");
  const { changes, changesTruncated } = await run(
    "echo new > new; echo x > over; echo x >> append; python3 -c 'import os; os.truncate(\"cut\", 1)'",
  );
  expect(sorted(changes.map(({ path, size }) => `${path} ${size}`))).toEqual([
    "/workspace/append 12",
    "/workspace/cut 1",
    "/workspace/new 4",
    "/workspace/over 2",
  ]);
  expect(changesTruncated).toBe(false);
  expect(changes.every(({ modifiedMs }) => Math.abs(modifiedMs - Date.now()) < 600_000)).toBe(true);
});

test("a file that is still open is told as far as it was written", async () => {
  const { changes } = await run("exec 3> open.log; echo line >&3; sleep 30 <&- & disown; kill $!");
  expect(changes).toMatchObject([{ path: "/workspace/open.log", size: 5 }]);
});

test("what was removed again is not told, what was renamed has its last name", async () => {
  expect(await changed("echo 1 > gone; rm gone; echo 2 > draft; mv draft final")).toEqual(["final"]);
  expect(await changed("mkdir d; echo 3 > d/x; mv d e")).toEqual(["e/x"]);
  expect(await changed("mkdir t; echo 4 > t/x; rm -r t")).toEqual([]);
});

test("new directories are followed down, however quickly they are filled", async () => {
  expect(
    await changed(
      "mkdir -p a/b/c/d && echo 1 > a/b/c/d/deep; mkdir -p x/{1,2,3}; for i in 1 2 3; do echo $i > x/$i/f; done",
    ),
  ).toEqual(["a/b/c/d/deep", "x/1/f", "x/2/f", "x/3/f"]);
  expect(await changed("echo 2 > a/b/c/d/deep; rm -r x")).toEqual(["a/b/c/d/deep"]);
});

test("a directory moved in from elsewhere counts with all its files", async () => {
  expect(
    await changed(
      "t=$(mktemp -d); mkdir $t/in; echo 1 > $t/in/one; echo 2 > $t/in/two; mv $t/in here; rmdir $t",
    ),
  ).toEqual(["here/one", "here/two"]);
  // And is watched from then on, under its name of the moment.
  expect(await changed("mv here there; echo 3 > there/three")).toEqual([
    "there/one",
    "there/three",
    "there/two",
  ]);
  expect(await changed("echo 4 > there/one")).toEqual(["there/one"]);
});

test("hidden files, packages, caches and environments are nobody's result", async () => {
  await run("mkdir -p node_modules .cache");
  const command = `echo 1 > .hidden; mkdir -p .git/x; echo 1 > .git/x/y; mkdir -p app/node_modules/p app/__pycache__;
    echo 1 > node_modules/a; echo 1 > app/node_modules/p/i; echo 1 > app/__pycache__/c; echo 1 > .cache/z;
    mkdir env; echo home > env/pyvenv.cfg; mkdir env/lib; echo 1 > env/lib/a; echo 1 > app/main.py`;
  expect(await changed(command)).toEqual(["app/main.py"]);
  expect(await changed("echo 2 > env/lib/a; echo 2 > env/b; echo 2 > .git/x/y")).toEqual([]);
});

test("links, pipes and sockets are no files", async () => {
  expect(await changed("ln -s /etc/passwd link; mkfifo fifo; echo 1 > file; ln file hard")).toEqual([
    "file",
    "hard",
  ]);
});

test("any name is told as it is", async () => {
  const { changes } = await run(
    `printf 1 > $'a\\nb'; printf 1 > $'\\xff\\xfe'; printf 1 > '日本 "x"'; printf 1 > ./-n`,
  );
  expect(sorted(changes.map(({ path }) => path))).toEqual(
    sorted(["/workspace/a\nb", "/workspace/\udcff\udcfe", '/workspace/日本 "x"', "/workspace/-n"]),
  );
});

test("times before 1970 and far away break nothing", async () => {
  const { status, changes } = await run("touch -d 1950-01-01 old; touch -d 2400-01-01 new");
  expect(status).toBe("completed");
  expect(changes).toHaveLength(2);
});

test("a change is told to every run that was alive, and to no other", async () => {
  // Each says in a hidden file, which is nobody's change, that it has begun.
  const begun = (name: string) => sandbox.run(`until [ -e .begun-${name} ]; do sleep 0.02; done`);
  const long = sandbox.run("touch .begun-long; until [ -e go ]; do sleep 0.02; done; echo long > long.txt");
  await begun("long");
  expect(await changed("echo short > short.txt")).toEqual(["short.txt"]);
  const other = sandbox.run(
    "touch .begun-other; until [ -e go ]; do sleep 0.02; done; echo other > other.txt",
  );
  await begun("other");
  await run("touch go");
  const [first, second] = await Promise.all([long, other]);
  expect(paths(first)).toEqual(expect.arrayContaining(["short.txt", "go", "long.txt"]));
  expect(paths(second)).toEqual(expect.arrayContaining(["go", "other.txt"]));
  expect(paths(second)).not.toContain("short.txt");
  expect(await changed("true")).toEqual([]);
});

test("many runs at once that change the same files are all told", async () => {
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, n) => sandbox.run(`echo ${n} > own-${n}; echo ${n} >> shared`)),
  );
  results.forEach((result, n) => {
    expect(paths(result)).toEqual(expect.arrayContaining([`own-${n}`, "shared"]));
  });
});

test("too many are cut, outputs first and the latest before the rest", async () => {
  await run("mkdir -p outputs");
  const { changes, changesTruncated } = await run(
    "echo 1 > outputs/report; for i in $(seq 1 300); do echo $i > n$i; done; echo 1 > last",
  );
  expect(changesTruncated).toBe(true);
  expect(changes).toHaveLength(200);
  expect(changes.slice(0, 2).map(({ path }) => path)).toEqual([
    "/workspace/outputs/report",
    "/workspace/last",
  ]);
});

test("more events than the kernel queues are made up for by one look", async () => {
  // Files' times are coarse: a look would find one that was written only just before, too.
  await run("mkdir -p outputs many; echo old > untouched; sleep 0.05");
  const running = sandbox.run("touch .begun; until [ -e .go ]; do sleep 0.02; done");
  await sandbox.run("until [ -e .begun ]; do sleep 0.02; done");
  const most = Number(await readFile("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  const workspace = join(coved.roots, "workspace");
  // While the daemon reads nothing, the queue fills up, and what comes last is not in it.
  process.kill(coved.pid, "SIGSTOP");
  try {
    for (let n = 0; n <= most; n++) closeSync(openSync(join(workspace, `many/${n % 1000}`), "w"));
    for (let n = 0; n < 1000; n++) unlinkSync(join(workspace, `many/${n}`));
    await writeFile(join(workspace, "outputs/kept"), "kept");
    await writeFile(join(workspace, ".go"), "");
  } finally {
    process.kill(coved.pid, "SIGCONT");
  }
  const { changes, changesTruncated } = await running;
  expect(changes.map(({ path }) => path)).toEqual(["/workspace/outputs/kept"]);
  expect(changesTruncated).toBe(false);
  expect(await changed("echo 1 > after")).toEqual(["after"]);
});

test("more directories than are watched still have their changes found", async () => {
  await run("python3 -c \"import os; [os.makedirs('w/%d/%d' % (n // 100, n)) for n in range(6000)]\"");
  // A look takes only so long; on a busy machine it may be cut, which is told, and the next one goes on.
  const look = async () => {
    const result = await run("echo 1 > w/59/5999/deep; echo 1 > w/0/0/first");
    return result.changesTruncated ? "cut" : paths(result);
  };
  await expect.poll(look, { timeout: 30_000 }).toEqual(["w/0/0/first", "w/59/5999/deep"]);
  await run("rm -r w");
  expect(await changed("echo 1 > less")).toEqual(["less"]);
});

test("what changes between runs is nobody's, and its directories are watched", async () => {
  await mkdir(join(coved.roots, "workspace/between/inner"), { recursive: true });
  await writeFile(join(coved.roots, "workspace/between/inner/file"), "1");
  expect(await changed("true")).toEqual([]);
  expect(await changed("echo 2 > between/inner/file")).toEqual(["between/inner/file"]);
});

test("directories that come and go as fast as they can keep nobody from working", async () => {
  const busy = sandbox.run("while :; do mkdir -p a/b/c; mv a z; rm -r z; done", { timeoutMs: 3000 });
  expect(await changed("echo 1 > calm")).toContain("calm");
  expect((await busy).status).toBe("timeout");
  await run("rm -rf a z");
  expect(await changed("echo 2 > calm")).toEqual(["calm"]);
});

async function run(command: string): Promise<RunResult> {
  const result = await sandbox.run(command);
  expect(result.stderr.toString()).toBe("");
  return result;
}

async function changed(command: string): Promise<string[]> {
  return paths(await run(command));
}

function paths({ changes }: RunResult): string[] {
  return sorted(changes.map(({ path }) => path.replace("/workspace/", "")));
}

function sorted(texts: string[]): string[] {
  return texts.toSorted();
}
