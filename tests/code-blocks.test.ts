import { expect, test } from "vitest";
import { codeBlocks } from "./support/code-blocks.ts";

test("every fenced block is found, however it is written", () => {
  const markdown = [
    "Text with ```inline``` code.",
    "```python",
    "x = 1",
    "",
    "```",
    "1. A step",
    "",
    "   ```bash title=run",
    "   if true; then",
    "     echo yes",
    "   fi",
    "   ```",
    "~~~python",
    "```",
    "~~~",
    "````text",
    "```python",
    "````",
    "```",
    "no end",
  ].join("\n");
  expect(codeBlocks(markdown)).toEqual([
    { language: "python", code: "x = 1\n\n", line: 2 },
    { language: "bash", code: "if true; then\n  echo yes\nfi\n", line: 8 },
    { language: "python", code: "```\n", line: 13 },
    { language: "text", code: "```python\n", line: 16 },
    { language: "", code: "no end\n", line: 19 },
  ]);
});
