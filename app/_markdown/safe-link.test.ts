import { expect, test } from "vitest";
import { safeImage, safeLink } from "./safe-link.ts";

test.each(["https://example.com/a?b#c", "http://localhost:3000", "mailto:ada@example.com", "/files", "#top"])(
  "%s may be followed",
  (href) => {
    expect(safeLink(href)).toBe(href);
  },
);

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "//evil.example/x",
  "/\\evil.example",
  "",
  undefined,
])("%j may not", (href) => {
  expect(safeLink(href)).toBeUndefined();
});

test("only our artifacts and inline bitmaps are shown as pictures", () => {
  expect(safeImage("/artifacts/0199/plot.png")).toBe("/artifacts/0199/plot.png");
  expect(safeImage("data:image/png;base64,AA==")).toBe("data:image/png;base64,AA==");
  for (const src of [
    "https://evil.example/pixel.png",
    "//evil.example/x.png",
    "/api/auth/signout",
    "/artifacts/../api/x",
    "/artifacts/a/../../api/x",
    "data:image/svg+xml;base64,AA==",
    "plot.png",
  ]) {
    expect(safeImage(src)).toBeUndefined();
  }
});
