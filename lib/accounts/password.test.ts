import { expect, test } from "vitest";
import { hashPassword, pretendToVerify, verifyPassword } from "./password.ts";

test("the right password verifies, a wrong one doesn't", async () => {
  const stored = await hashPassword("correct horse battery");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword("correct horse battery", stored)).toBe(true);
  expect(await verifyPassword("correct horse batterx", stored)).toBe(false);
});

test("the same password is stored differently each time", async () => {
  expect(await hashPassword("correct horse battery")).not.toBe(await hashPassword("correct horse battery"));
});

test("a password typed with other code points for the same letters verifies", async () => {
  const stored = await hashPassword("pass\u00e9 compos\u00e9");
  expect(await verifyPassword("passe\u0301 compose\u0301", stored)).toBe(true);
});

test("a hash with other costs still verifies, and a broken one never does", async () => {
  const cheaper = "$argon2id$v=19$m=64,t=1,p=1$";
  expect(await verifyPassword("x", `${cheaper}AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA`)).toBe(false);
  expect(await verifyPassword("x", "")).toBe(false);
  expect(await verifyPassword("x", "plain text")).toBe(false);
});

test("pretending always ends in no", async () => {
  expect(await pretendToVerify("nobody has this password")).toBe(false);
});

test("a flood of passwords waits in line, up to its end", async () => {
  const stored = "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA";
  const flood = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword("x", stored)));
  const refused = flood.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(300 - 202);
  expect(refused[0]).toMatchObject({ code: "rate_limited", retryAfterSeconds: 10 });
  expect(await verifyPassword("x", stored)).toBe(false);
});
