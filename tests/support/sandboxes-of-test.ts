// Sandboxes that a test opens, gone when it is over; and what tests of their lives ask again and again.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach } from "vitest";
import type { SandboxesOptions } from "#sandbox/index.ts";
import type { Installation } from "./installation.ts";
import { type TestSandboxes, testSandboxes } from "./sandboxes.ts";

/** For a whole file: what it returns opens sandboxes for the test that runs. */
export function sandboxesOfTest() {
  const opened: TestSandboxes[] = [];
  afterEach(async () => {
    for (const all of opened.splice(0)) await all.cleanUp();
  });
  return async (changes: Partial<SandboxesOptions> = {}, installation?: Installation) => {
    const all = await testSandboxes(changes, installation);
    opened.push(all);
    return all;
  };
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

export async function stateOf({ sandboxes }: TestSandboxes, userId: string): Promise<string | undefined> {
  return (await sandboxes.status(userId))?.state;
}
