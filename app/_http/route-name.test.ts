import { expect, test } from "vitest";
import { routeName } from "./route-name.ts";

test.each([
  ["/api/tools", {}, "/api/tools"],
  ["/api/t%6Fols", {}, "/api/tools"],
  ["/skills/data-analysis", { name: "data-analysis" }, "/skills/[name]"],
  ["/artifacts/0198/a%20plot.png", { id: "0198", name: "a plot.png" }, "/artifacts/[id]/[name]"],
  ["/api/x/y/z", { path: ["x", "y", "z"] }, "/api/[path]/[path]/[path]"],
  ["/api/skills/%ff", { name: "%ff" }, "/api/skills/[name]"],
  ["/elsewhere", { name: "not-in-it" }, "other"],
])("%s is counted as %3$s", (path, params, expected) => {
  expect(routeName(path, params)).toBe(expected);
});
