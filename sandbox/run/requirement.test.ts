import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRequirement, parseRequirements } from "./requirement.ts";

test.each([
  ["pandas", "pandas", "pandas"],
  [" Flask-SQLAlchemy ", "Flask-SQLAlchemy", "Flask-SQLAlchemy"],
  ["pandas[excel, parquet]", "pandas", "pandas[excel,parquet]"],
  ["numpy >= 2, < 3", "numpy", "numpy>=2,<3"],
  ["zope.interface==7.*", "zope.interface", "zope.interface==7.*"],
  ["torch~=2.4", "torch", "torch~=2.4"],
  ["x===1.0+cpu", "x", "x===1.0+cpu"],
])("%j is a requirement", (spec, name, install) => {
  expect(parseRequirement(spec)).toEqual({ requested: spec, name, install });
});

test.each([
  ["wheels/demo-1.0-py3-none-any.whl", "/workspace/wheels/demo-1.0-py3-none-any.whl"],
  ["/workspace/demo_pkg-1.0-py3-none-any.whl", "/workspace/demo_pkg-1.0-py3-none-any.whl"],
  ["./a/../demo-1.0-1-cp313-cp313-linux_x86_64.whl", "/workspace/demo-1.0-1-cp313-cp313-linux_x86_64.whl"],
])("%j is a wheel in the workspace", (spec, install) => {
  expect(parseRequirement(spec)).toMatchObject({ install });
});

test.each([
  ["--index-url=http://evil", /option/],
  ["-r requirements.txt", /option/],
  ["-e .", /option/],
  ["https://example.com/x.whl", /URL/],
  ["demo @ https://example.com/x.whl", /URL/],
  ["git+ssh://host/repo", /URL/],
  ["file:///etc/x-1-py3-none-any.whl", /URL/],
  ["../x/demo-1.0-py3-none-any.whl", /not in the workspace/],
  ["/tmp/demo-1.0-py3-none-any.whl", /not in the workspace/],
  ["$(id)-1.0-py3-none-any.whl", /not named as a wheel/],
  ["./project", /path/],
  ["pandas; rm -rf /", /semicolon/],
  ['pandas; python_version<"3"', /marker/],
  ["pandas && id", /not a package/],
  ["`id`", /not a package/],
  ["$(id)", /not a package/],
  ["pandas|id", /not a package/],
  ["pandas\nnumpy", /not a package/],
  ["pandas -U", /not a package/],
  ["pandas==", /not a package/],
  ["pandas[", /not a package/],
  ["pandas\0", /not a package/],
  ["", /not the name/],
  ["x".repeat(300), /not the name/],
])("%j is refused with a sentence", (spec, sentence) => {
  expect(() => parseRequirement(spec)).toThrow(sentence);
});

test("whatever is accepted holds nothing that a shell or an installer could take for something else", () => {
  const piece = fc.constantFrom(..."ab1._-[]<>=~!,;@/:$`|& '\"\\\n\0*+".split(""), ".whl", "pandas", "==1.0");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      let accepted: string;
      try {
        accepted = parseRequirement(pieces.join("")).install;
      } catch {
        return;
      }
      expect(accepted).toMatch(/^(?:\/workspace\/[\w./ +!@-]+\.whl|[A-Za-z0-9][\w.\-[\],<>=~!*+]*)$/);
    }),
    { numRuns: 5000 },
  );
});

test("nothing, and too much, is refused", () => {
  expect(() => parseRequirements([])).toThrow(/at least one/);
  expect(() => parseRequirements(Array(101).fill("x"))).toThrow(/At most 100/);
});
