import { expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { deriveKey, openInstallation } from "./installation.ts";

ownDatabase();

test("it keeps its id, and notices a secret that is not its own", async () => {
  const secret = "a".repeat(32);
  const { id } = await openInstallation(secret);
  expect(await openInstallation(secret)).toEqual({ id });
  await expect(openInstallation("b".repeat(32))).rejects.toThrow(
    "AUTH_SECRET is not the one this installation was made with.",
  );
});

test("each purpose has a key of its own", () => {
  expect(deriveKey("secret", "one")).toHaveLength(32);
  expect(deriveKey("secret", "one")).not.toEqual(deriveKey("secret", "two"));
  expect(deriveKey("secret", "one")).toEqual(deriveKey("secret", "one"));
});
