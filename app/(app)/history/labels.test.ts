import { expect, test } from "vitest";
import { CHANGES } from "#lib/files/record-change.ts";
import { catalogue, TOOLSETS } from "#mcp/tools/catalogue.ts";
import { TOOLS } from "./labels.ts";

test("whatever is on record has a name for people, and can be filtered by", () => {
  const tools = [...catalogue, ...Object.values(TOOLSETS).flat()].filter(({ recorded }) => recorded);
  const recorded = [...tools.map(({ name }) => name), ...CHANGES];
  expect(Object.keys(TOOLS).sort()).toEqual(recorded.sort());
});
