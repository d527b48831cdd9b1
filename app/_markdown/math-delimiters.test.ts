import { expect, test } from "vitest";
import { mathDelimiters } from "./math-delimiters.ts";

test.each([
  ["the area is $\\pi r^2$.", "the area is $$\\pi r^2$$."],
  ["$x$ and $y$", "$$x$$ and $$y$$"],
  ["inline \\(a+b\\) here", "inline $$a+b$$ here"],
  ["block \\[ a = b \\] here", "block \n$$\na = b\n$$\n here"],
])("%j is maths", (text, expected) => {
  expect(mathDelimiters(text)).toBe(expected);
});

test.each([
  "it costs $5 and $10 more",
  "between $5-$10",
  "$$\nx\n$$",
  "$$x$$",
  "`$x$` and `echo $HOME$`",
  "```bash\necho $A$\n```",
  "```bash\necho $A$ still streaming",
  "escaped \\$x\\$",
])("%j stays as it is", (text) => {
  expect(mathDelimiters(text)).toBe(text);
});
