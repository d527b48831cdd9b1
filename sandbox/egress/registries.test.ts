import { expect, test } from "vitest";
import { silentLogger } from "../logger.ts";
import { npmRegistry } from "./registries.ts";

async function asking(npm?: string) {
  const warned: string[] = [];
  const found = await npmRegistry({ ...silentLogger, warn: (_, message) => warned.push(message) }, npm);
  return { found, warned };
}

test("npm says where it installs from", async () => {
  const { found, warned } = await asking();
  expect(found).toMatchObject([{ scheme: expect.stringMatching(/^https?$/), host: expect.any(String) }]);
  expect(warned).toEqual([]);
});

test.each([
  ["isn't there", "/nowhere/npm"],
  ["fails", "false"],
  ["says something else", "echo"],
])("an npm that %s is nobody's failure, and the operator is told", async (_what, npm) => {
  const { found, warned } = await asking(npm);
  expect(found).toEqual([]);
  expect(warned).toEqual([expect.stringMatching(/did not say where it installs from/)]);
});
