import { expect, test } from "vitest";
import { describeDatabaseFailure } from "./database-failure.ts";

const URL_WITH_SECRET = "postgresql://me:hunter2@db.example:5433/mine";

test.each([
  [
    "ECONNREFUSED",
    "The database mine at db.example:5433 can't be used: nothing listens there. Check DATABASE_URL.",
  ],
  [
    "28P01",
    "The database mine at db.example:5433 can't be used: the user or the password is wrong. Check DATABASE_URL.",
  ],
  [
    "3D000",
    "The database mine at db.example:5433 can't be used: there is no such database: create it first. Check DATABASE_URL.",
  ],
])("%s becomes a sentence without the password", (code, sentence) => {
  const cause = Object.assign(new Error(`for ${URL_WITH_SECRET}`), { code });
  expect(describeDatabaseFailure(new Error("Failed query", { cause }), URL_WITH_SECRET).message).toBe(
    sentence,
  );
});

test("what is no failure of the database stays as it is", () => {
  const error = new Error("something else");
  expect(describeDatabaseFailure(error, URL_WITH_SECRET)).toBe(error);
});
