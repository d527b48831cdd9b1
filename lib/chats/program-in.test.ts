import { describe, expect, test } from "vitest";
import { programIn } from "./program-in.ts";

describe("a message that is a program", () => {
  test.each([
    ["!ls -la", "ls -la"],
    ["! echo hi", "echo hi"],
    ["  ! ls", "ls"],
    ["!echo one\necho two", "echo one\necho two"],
    ["```bash\nls\n```", "ls"],
    ["```sh\nls | wc\n```\n", "ls | wc"],
  ])("%j is bash", (text, code) => {
    expect(programIn(text)).toEqual({ language: "bash", code });
  });

  test.each([
    [">>> 1 + 1", "1 + 1"],
    [">>>1", "1"],
    [">>> import math\nmath.pi", "import math\nmath.pi"],
    [">>> for i in range(2):\n...     print(i)", "for i in range(2):\n    print(i)"],
    [">>> x = 1\n>>> x\n1\n>>> x + 1", "x = 1\nx\nx + 1"],
    ["```python\nprint(1)\n```", "print(1)"],
    ["```\nprint(1)\n\nprint(2)\n```", "print(1)\n\nprint(2)"],
    ["~~~py\n1\n~~~", "1"],
  ])("%j is Python", (text, code) => {
    expect(programIn(text)).toEqual({ language: "python", code });
  });

  test.each([
    "hello!",
    "what does `!ls` do?",
    "!",
    "!!".slice(1),
    ">>>",
    "```python\nprint(1)\n```\nWhat does it print?",
    "```js\nconsole.log(1)\n```",
    "Run this:\n```python\n1\n```",
    "```python\n1\n```\n\n```python\n2\n```",
    "```bash\nls\n```\n```bash\npwd\n```",
    "~~~\n1\n~~~\nand\n~~~\n2\n~~~",
    "```python\n```",
    "```bash\n  \n```",
    ">>>\n>>>",
    "> a quotation",
    "",
  ])("%j is words", (text) => {
    expect(programIn(text)).toBeUndefined();
  });
});
