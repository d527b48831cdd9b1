import { v7 } from "uuid";
import { expect, test } from "vitest";
import { DEVICE_SECONDS, knownDevice, rememberDevice } from "./known-devices.ts";

const ada = { id: v7(), deviceEpoch: 3 };
const bob = { id: v7(), deviceEpoch: 0 };

test("a device keeps its id with every sign-in, and each account has one of its own", () => {
  const first = rememberDevice(undefined, ada);
  const both = rememberDevice(first, bob);
  const again = rememberDevice(both, ada);
  expect(knownDevice(again, ada)).toBe(knownDevice(first, ada));
  expect(knownDevice(again, bob)).toBe(knownDevice(both, bob));
  expect(knownDevice(again, ada)).not.toBe(knownDevice(again, bob));
  expect(knownDevice(first, bob)).toBeUndefined();
});

test("what was changed by hand, is of another time, or has expired is nobody's", () => {
  const notes = rememberDevice(undefined, ada);
  expect(knownDevice(notes, ada)).toBeDefined();
  expect(knownDevice(notes.replace(ada.id, bob.id), bob)).toBeUndefined();
  expect(knownDevice(notes.replace(/\.3\./, ".4."), { ...ada, deviceEpoch: 4 })).toBeUndefined();
  expect(knownDevice(notes.slice(0, -1), ada)).toBeUndefined();
  expect(knownDevice(notes, { ...ada, deviceEpoch: 4 })).toBeUndefined();
  expect(knownDevice(notes, ada, Date.now() + DEVICE_SECONDS * 1000 + 1000)).toBeUndefined();
  for (const junk of ["", "~", "a.b.c.d.e", "x".repeat(100_000)]) {
    expect(knownDevice(junk, ada)).toBeUndefined();
  }
});

test("a browser of many accounts remembers the latest five, in little space", () => {
  const accounts = Array.from({ length: 8 }, () => ({ id: v7(), deviceEpoch: 0 }));
  const notes = accounts.reduce<string | undefined>(
    (sum, account) => rememberDevice(sum, account),
    undefined,
  );
  expect(accounts.map((account) => knownDevice(notes, account) !== undefined)).toEqual([
    ...[false, false, false],
    ...[true, true, true, true, true],
  ]);
  expect(notes?.length).toBeLessThan(1000);
});
