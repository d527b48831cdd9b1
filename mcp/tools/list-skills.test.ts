import { expect, test } from "vitest";
import { describeSkills } from "./list-skills.ts";

const many = (count: number, words = 200) =>
  Array.from({ length: count }, (_, n) => ({ name: `skill-${n}`, description: "d".repeat(words) }));

test("a handful of skills are listed with their descriptions", () => {
  expect(describeSkills([])).toBe("");
  expect(describeSkills(many(2, 3))).toBe("- skill-0: ddd\n- skill-1: ddd");
});

test("of a thousand every name is told, and as many descriptions as there is room for", () => {
  const text = describeSkills(many(1000));
  expect(text.length).toBeLessThan(20_200);
  for (let n = 0; n < 1000; n++) expect(text).toMatch(new RegExp(`^- skill-${n}(:|$)`, "m"));
  expect(text).toContain("- skill-20: ddd");
  expect(text).toContain("By name alone");
});

test("of more than can be named it is said how many are left out, and where they are", () => {
  const text = describeSkills(many(5000));
  expect(text.length).toBeLessThan(20_200);
  const listed = text.match(/^- skill-/gm)?.length ?? 0;
  expect(text).toContain(`… and ${5000 - listed} more folders in /skills`);
});
