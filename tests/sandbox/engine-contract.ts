// What any engine must do, as sentences: each engine's own test file runs this suite against the real thing.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineConnection, EngineSettings, SandboxIdentity } from "#sandbox/engine/engine.ts";
import { connectPipe } from "#sandbox/pipe/pipe.ts";
import { Sandbox } from "#sandbox/sandbox.ts";

const MB = 2 ** 20;

export interface EngineUnderTest {
  connection: EngineConnection;
  /** What makes two installations on it: an id, a place for data, an image. */
  installations: [EnginePlace, EnginePlace];
  /** Has every request of ours fail as if the engine had gone, until it is called with false. */
  setAway(away: boolean): void;
  cleanUp(): Promise<void>;
}

type EnginePlace = Pick<EngineSettings, "installation" | "dataDir" | "image">;

export function engineContract(name: string, prepare: () => Promise<EngineUnderTest>): void {
  describe(`an engine (${name})`, () => {
    let under: EngineUnderTest;
    let engine: Engine;
    let skills: string;
    let uid = 41_000;
    const made: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      under = await prepare();
      skills = await mkdtemp(join(tmpdir(), "cove-skills-"));
      await writeFile(join(skills, "note"), "first");
      engine = await open(under.installations[0]);
    });
    afterEach(async () => {
      under.setAway(false);
      for (const destroy of made.splice(0)) await destroy();
    });
    afterAll(async () => {
      await under?.cleanUp();
      await rm(skills, { recursive: true });
    });

    test("tells its version", async () => {
      expect(await under.connection.version()).toMatch(/\d/);
    });

    test("makes a machine on a new workspace, starts it and reaches its daemon", async () => {
      const ann = await newMachine("ann");
      expect(await engine.machines.look(ann.id)).toMatchObject({
        state: "running",
        image: under.installations[0].image,
      });
      expect(await sh(ann, "id -u; pwd; ls -A --ignore=outputs; echo hi > /workspace/note; cat note")).toBe(
        `${ann.uid}\n/workspace\nhi`,
      );
    });

    test("takes every operation twice, and of what isn't there", async () => {
      const ann = await newMachine("twice");
      const { machines, workspaces } = engine;
      for (const operation of [
        () => machines.start(ann.id, "user"),
        () => machines.kill(ann.id),
        () => machines.stop(ann.id),
        () => machines.remove(ann.id),
        () => workspaces.detach(ann.id),
        () => workspaces.remove(ann.id),
      ]) {
        await operation();
        await operation();
      }
      expect(await machines.look(ann.id)).toMatchObject({ state: "absent" });
      expect(await workspaces.exists(ann.id)).toBe(false);
    });

    test("keeps the workspace when its machine is stopped or removed", async () => {
      const ann = await newMachine("kept");
      await sh(ann, "echo kept > note");
      await engine.machines.stop(ann.id);
      expect(await engine.machines.look(ann.id)).toMatchObject({ state: "stopped" });
      await engine.machines.start(ann.id, "user");
      expect(await sh(ann, "cat note")).toBe("kept");
      await engine.machines.remove(ann.id);
      await engine.workspaces.detach(ann.id);
      expect(await engine.workspaces.list()).toContain(ann.id);
      await start(ann);
      expect(await sh(ann, "cat note; stat -c %u note")).toBe(`kept\n${ann.uid}`);
    });

    test("keeps two users apart, and both from any network", async () => {
      const [ann, bob] = [await newMachine("one"), await newMachine("other")];
      await sh(ann, "echo secret > note; (sleep 300; true) > /dev/null 2>&1 & sleep 0.1");
      expect(await sh(bob, "find / -name note -path '*workspace*' 2>/dev/null; pgrep -x sleep || true")).toBe(
        "",
      );
      expect(await sh(bob, "tail -n +3 /proc/net/dev | grep -v 'lo:' || true")).toBe("");
    });

    test("has the quota that it says it has", async () => {
      const ann = await newMachine("full");
      expect(await engine.workspaces.quotaOf(ann.id)).toBe(engine.workspaces.quota.kind);
      const { quota } = engine.workspaces;
      if (quota.kind === "soft") expect(quota.reason).toMatch(/\.$/);
      else
        expect(await sh(ann, "dd if=/dev/zero of=big bs=1M count=100 2>&1 || true")).toContain(
          "No space left on device",
        );
    });

    test("shows the shared folders read-only, and what changes in them, in a machine that runs", async () => {
      const ann = await newMachine("reader");
      expect(await sh(ann, "cat /skills/note; echo; touch /skills/mine 2>&1 || true")).toMatch(
        /^first\n.*Read-only/s,
      );
      await writeFile(join(skills, "note"), "second!");
      expect(await engine.refreshShared()).toBe(true);
      expect(await engine.refreshShared()).toBe(false);
      expect(await sh(ann, "cat /skills/note")).toBe("second!");
    });

    test("ends every process of a machine at once, and can start it again", async () => {
      const ann = await newMachine("killed");
      await sh(ann, "echo kept > note");
      await engine.machines.kill(ann.id);
      await expect.poll(() => engine.machines.look(ann.id)).toMatchObject({ state: "stopped" });
      await engine.machines.start(ann.id, "background");
      expect(await sh(ann, "cat note")).toBe("kept");
    });

    test("holds a machine still, if it says that it can", async () => {
      const ann = await newMachine("frozen");
      await engine.freezer?.pause(ann.id);
      expect((await engine.machines.look(ann.id)).state).toBe(engine.freezer ? "paused" : "running");
      await engine.freezer?.resume(ann.id);
      expect(await sh(ann, "echo awake")).toBe("awake");
    });

    test("lists and removes what is of its own installation alone", async () => {
      const other = await open(under.installations[1]);
      const [ann, bob] = [await newMachine("ours"), await newMachine("theirs", other)];
      const listed = await engine.machines.list();
      expect(listed).toMatchObject([{ sandboxId: ann.id, role: "sandbox", state: "running" }]);
      expect(await under.connection.machineStates(under.installations[1].installation)).toEqual(
        new Map([[bob.id, "running"]]),
      );
      for (const machine of listed) await engine.machines.removeListed(machine);
      expect(await engine.machines.list()).toEqual([]);
      expect(await other.machines.look(bob.id)).toMatchObject({ state: "running" });
    });

    test("carries a workspace to somebody else as an archive without owners", async () => {
      const [ann, bob] = [await newMachine("from"), await newMachine("to")];
      await sh(ann, "mkdir deep; echo packed > deep/note; ln -s deep/note link; chmod 750 deep");
      const archive = new PassThrough();
      const [bytes] = await Promise.all([buffer(archive), engine.workspaces.pack(ann.id, archive)]);
      await engine.workspaces.unpack(bob, Readable.from(bytes));
      expect(await sh(bob, "cat link; stat -c '%u %a' deep")).toBe(`packed\n${bob.uid} 750`);
    });

    test("remembers who came first to an installation's id, until that is forgotten", async () => {
      const { installation } = under.installations[0];
      const [first, second] = [
        { system: "1", database: "a" },
        { system: "2", database: "b" },
      ];
      expect(await under.connection.recordOwner(installation, first)).toEqual(first);
      expect(await under.connection.recordOwner(installation, second)).toEqual(first);
      await under.connection.forgetOwner(installation);
      await under.connection.forgetOwner(installation);
      expect(await under.connection.recordOwner(installation, second)).toEqual(second);
    });

    test("that goes away fails by name, and goes on where it was when it is back", async () => {
      const ann = await newMachine("away");
      under.setAway(true);
      await expect(engine.machines.look(ann.id)).rejects.toMatchObject({ code: "engine_unavailable" });
      await expect(engine.dial(ann)).rejects.toMatchObject({ code: "engine_unavailable" });
      under.setAway(false);
      expect(await sh(ann, "echo back")).toBe("back");
    });

    function open(place: EnginePlace): Promise<Engine> {
      return under.connection.open({
        ...place,
        folders: { skills, tools: "" },
        environment: {},
        limits: {
          memoryBytes: 256 * MB,
          cpus: 1,
          pids: 128,
          openFiles: 1024,
          tmpBytes: 32 * MB,
          shmBytes: 16 * MB,
        },
        disk: { bytes: 64 * MB, reserveBytes: 0 },
      });
    }

    /** It goes when the test is over. */
    async function newMachine(name: string, on = engine): Promise<SandboxIdentity> {
      const id = `contract-${process.pid}-${name}`;
      made.push(async () => {
        await on.machines.remove(id);
        await on.workspaces.detach(id);
        await on.workspaces.remove(id);
      });
      const sandbox = { id, uid: uid++ };
      await on.workspaces.create(id, sandbox.uid);
      await start(sandbox, on);
      return sandbox;
    }

    async function start(sandbox: SandboxIdentity, on = engine): Promise<void> {
      await on.workspaces.attach(sandbox.id);
      await on.machines.create(sandbox, "user", async () => undefined);
      await on.machines.start(sandbox.id, "user");
    }

    /** What a command printed, both streams together. */
    async function sh(identity: SandboxIdentity, command: string): Promise<string> {
      const pipe = await connectPipe({ dial: () => engine.dial(identity) });
      try {
        const sandbox = new Sandbox({ id: identity.id, use: (work) => work(pipe) });
        const { stdout, stderr } = await sandbox.run(command, { timeoutMs: 30_000 });
        return `${stdout}${stderr}`.trim();
      } finally {
        pipe.close();
      }
    }
  });
}
