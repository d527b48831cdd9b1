import { describe, expect, test } from "vitest";
import { programIn } from "./direct-run.ts";

describe("a message that is a program", () => {
  test.each([
    ["!ls -la", "ls -la"],
    ["! echo hi", "echo hi"],
    ["!echo one\necho two", "echo one\necho two"],
    ["```bash\nls\n```", "ls"],
    ["```sh\nls | wc\n```\n", "ls | wc"],
  ])("%j is bash", (text, command) => {
    expect(programIn(text)).toEqual({ name: "execute_bash", arguments: { command } });
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
    expect(programIn(text)).toEqual({ name: "execute_python", arguments: { code } });
  });

  test.each([
    "hello!",
    "what does `!ls` do?",
    "!",
    "!!".slice(1),
    ">>>",
    "```python\nprint(1)\n```\nWhat does it print?",
    "```js\nconsole.log(1)\n```",
    "```python\n1\n```\n\n```python\n2\n```",
    "> a quotation",
    "",
  ])("%j is words", (text) => {
    expect(programIn(text)).toBeUndefined();
  });
});
