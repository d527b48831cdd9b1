// A hundred people at the same moment, one of whom asks for more than everybody else together.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { type Caller, newCaller } from "../support/caller.ts";
import { type Cove, startCove } from "../support/cove.ts";
import { jsonRequest } from "../support/json-request.ts";

const PEOPLE = 100;
const AT_ONCE = 8;
const IN_LINE = 100;
const TOO_MANY = 40;
let cove: Cove;
let greedy: Caller;
let others: Caller[];

beforeAll(async () => {
  cove = await startCove({ COVE_SANDBOX_MEMORY: "128m" });
  greedy = await newCaller(cove);
  others = await Promise.all(Array.from({ length: PEOPLE - 1 }, () => newCaller(cove)));
});
afterAll(async () => {
  const name = await installationName(cove.dataDir);
  expect(await cove.stop()).toBe(0);
  const filters = JSON.stringify({ label: [`cove=${name}`] });
  expect(await connectEngine(process.env.DOCKER_HOST).listContainers({ all: true, filters })).toEqual([]);
});

describe("100 users at once on two cores", () => {
  test("everybody is served beside a full line, what doesn't fit in it is told when to come back, and the web stays responsive", async () => {
    const web = watchWeb();
    await ask(greedy, "true");
    // None of these ends before it is told to, so the line stays full for as long as it takes.
    const waiting = "until [ -e go ]; do sleep 0.5; done; echo gone";
    const flood = Array.from({ length: AT_ONCE + IN_LINE + TOO_MANY }, () => ask(greedy, waiting));
    const refused = await firstOf(flood, TOO_MANY);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });

    // For nearly all of them this makes a sandbox.
    const served = await Promise.all(others.map((person, n) => ask(person, `echo ${n}`)));
    expect(served.filter(({ error }) => error)).toEqual([]);
    expect(served.map(({ stdout }) => stdout)).toEqual(others.map((_, n) => `${n}\n`));
    // And now that they have one, all at once again.
    const again = await Promise.all(others.map((person) => ask(person, "echo again")));
    expect(again.filter(({ stdout }) => stdout !== "again\n")).toEqual([]);

    await greedy.execute("write_file", { file_path: "go", content: "" });
    const ended = (await Promise.all(flood)).filter(({ status }) => status === 200);
    expect(ended.map(({ stdout }) => stdout)).toEqual(Array(AT_ONCE + IN_LINE).fill("gone\n"));

    const { slowest, bad, asked } = await web.stop();
    expect(bad).toEqual([]);
    expect(asked).toBeGreaterThan(20);
    expect(slowest).toBeLessThan(5000);
  }, 300_000);
});

async function ask({ token }: Caller, command: string) {
  const call = { name: "execute_bash", arguments: { command, timeout: 300 } };
  const response = await fetch(`${cove.url}/execute`, jsonRequest(token, call));
  const { stdout, error } = await response.json();
  return { status: response.status, stdout, error, retryAfter: response.headers.get("retry-after") };
}

/** The first that are settled, however long the others take. */
function firstOf<T>(promises: Promise<T>[], count: number): Promise<T[]> {
  const { promise, resolve, reject } = Promise.withResolvers<T[]>();
  const found: T[] = [];
  for (const one of promises) {
    one.then((value) => {
      if (found.push(value) === count) resolve([...found]);
    }, reject);
  }
  return promise;
}

/** Asks for a page and /health again and again, from now on. */
function watchWeb() {
  let over = false;
  const seen = { slowest: 0, asked: 0, bad: [] as string[] };
  const watching = (async () => {
    while (!over) {
      for (const place of ["/health", "/sign-in"]) {
        const started = performance.now();
        const response = await fetch(cove.url + place);
        const text = await response.text();
        if (!response.ok) seen.bad.push(`${place} ${response.status} ${text.slice(0, 200)}`);
        seen.slowest = Math.max(seen.slowest, performance.now() - started);
        seen.asked++;
      }
      await sleep(250);
    }
    return seen;
  })();
  return {
    stop() {
      over = true;
      return watching;
    },
  };
}
