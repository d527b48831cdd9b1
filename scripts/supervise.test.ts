import { expect, test } from "vitest";
import { FinalEnd, type Supervised, supervise } from "./supervise.ts";

interface Puppet extends Supervised {
  die(how: string): void;
  refuse(error: Error): void;
  stops: number;
}

function puppet(): Puppet {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => undefined);
  const made: Puppet = {
    ended: promise,
    die: resolve,
    refuse: reject,
    stops: 0,
    async stop() {
      made.stops++;
      resolve("was stopped");
    },
  };
  return made;
}

/** A supervised thing whose starts are what the test hands out. */
function supervised(starts: (Puppet | Error)[], { pausesMs = [0, 0, 0], steadyMs = 60_000 } = {}) {
  const first = puppet();
  const said: string[] = [];
  const supervision = supervise({
    name: "The thing",
    current: first,
    start: async () => {
      const next = starts.shift() ?? new Error("There is nothing left.");
      if (next instanceof Error) throw next;
      return next;
    },
    say: (line) => said.push(line.replace(/ {2}\d.*/, "")),
    pausesMs,
    steadyMs,
  });
  return { first, said, supervision };
}

test("what dies is started again, and a line says what died and that it runs again", async () => {
  const second = puppet();
  const { first, said, supervision } = supervised([second]);
  first.die("was ended by SIGKILL");
  await expect
    .poll(() => said)
    .toEqual(["! The thing was ended by SIGKILL. It is started again.", "✓ The thing runs again"]);
  await supervision.stop();
  expect([first.stops, second.stops]).toEqual([0, 1]);
});

test("a start that fails is tried again", async () => {
  const third = puppet();
  const { first, said, supervision } = supervised([new Error("No room."), third]);
  first.die("is gone");
  await expect.poll(() => said.at(-1)).toBe("✓ The thing runs again");
  expect(said).toContain("! The thing could not be started again: No room.");
  await supervision.running();
  await supervision.stop();
  expect(third.stops).toBe(1);
});

test("after repeated failure it is given up with the last cause", async () => {
  const { first, supervision } = supervised([new Error("One."), new Error("Two."), new Error("Three.")]);
  first.die("is gone");
  await expect(supervision.givenUp).rejects.toThrow("The thing was started again 3 times in vain. Three.");
  await expect(supervision.running()).rejects.toThrow("in vain");
  await expect(supervision.stop()).rejects.toThrow("in vain");
});

test("deaths in quick succession count together, and what ran for a while starts anew", async () => {
  const quick = [puppet(), puppet(), puppet()];
  const hasty = supervised([...quick]);
  hasty.first.die("is gone");
  for (const each of quick) each.die("is gone again");
  await expect(hasty.supervision.givenUp).rejects.toThrow("3 times in vain. It is gone again");

  const steady = [puppet(), puppet(), puppet(), puppet(), puppet()];
  const patient = supervised([...steady], { steadyMs: -1 });
  patient.first.die("is gone");
  for (const each of steady.slice(0, -1)) each.die("is gone");
  await expect.poll(() => patient.said).toHaveLength(10);
  await patient.supervision.stop();
  expect(steady.at(-1)?.stops).toBe(1);
});

test("an end that would only be met again is final at once", async () => {
  const running = supervised([puppet()]);
  running.first.refuse(new FinalEnd("Somebody else has it."));
  await expect(running.supervision.givenUp).rejects.toThrow(/^Somebody else has it\.$/);

  const starting = supervised([new FinalEnd("Somebody else has it."), puppet()]);
  starting.first.die("is gone");
  await expect(starting.supervision.givenUp).rejects.toThrow(/^Somebody else has it\.$/);
});

test("stopped while it is down, it is brought up without a pause and ended in order", async () => {
  const second = puppet();
  const { first, said, supervision } = supervised([second], { pausesMs: [3_600_000] });
  first.die("is gone");
  await expect.poll(() => said).toHaveLength(1);
  await supervision.stop();
  expect(second.stops).toBe(1);
});

test("stopped while it can't come up, it is tried once", async () => {
  const { first, said, supervision } = supervised([new Error("No room."), puppet()], {
    pausesMs: [3_600_000, 0],
  });
  first.die("is gone");
  await expect.poll(() => said).toHaveLength(1);
  await expect(supervision.stop()).rejects.toThrow("No room.");
});
