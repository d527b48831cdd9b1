import { expect, test } from "vitest";
import { directLanguage } from "./direct-language.ts";

test.each([
  ["!ls -la", "bash"],
  ["  ! ls", "bash"],
  [">>> 1 + 1", "python"],
  [">>>1", "python"],
  ["```python\nprint(1)\n```", "python"],
  ["```\nprint(1)\n```", "python"],
  ["```sh\nls\n```", "bash"],
])("%j runs as %s", (text, language) => {
  expect(directLanguage(text)).toBe(language);
});

test.each([
  "",
  "!",
  ">>>",
  "wow!",
  "Run this:\n```python\n1\n```",
  "```rust\nfn main() {}\n```",
  "```python\n```",
])("%j is a question", (text) => {
  expect(directLanguage(text)).toBeUndefined();
});
