import { expect, test } from "vitest";
import { openKey, sealKey } from "./key-cipher.ts";

const place = { userId: "01a1e5ac-bba1-7588-8b23-719b5466a312", provider: "openai", baseUrl: null };

test("a sealed key opens where it belongs, and looks different each time", () => {
  const sealed = sealKey("sk-secret", place);
  expect(openKey(sealed, place)).toBe("sk-secret");
  expect(sealed.includes("sk-secret")).toBe(false);
  expect(sealKey("sk-secret", place).equals(sealed)).toBe(false);
});

test.each([
  ["another user", { ...place, userId: "01a1e5ac-bba1-7588-8b23-719b5466a313" }],
  ["another provider", { ...place, provider: "local" }],
  ["another address", { ...place, baseUrl: "https://evil.example/v1" }],
])("in the row of %s it does not open", (_what, elsewhere) => {
  const sealed = sealKey("sk-secret", place);
  expect(() => openKey(sealed, elsewhere)).toThrow();
});

test("a single changed bit is noticed", () => {
  const sealed = sealKey("sk-secret", place);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => openKey(changed, place)).toThrow();
  }
  expect(() => openKey(sealed.subarray(0, 10), place)).toThrow();
});
