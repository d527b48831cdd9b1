import { describe, expect, test } from "vitest";
import { Refusal, refusalFrom } from "#app/_http/ask.ts";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { conflictBetween } from "#lib/files/edit-text.ts";
import { nameTaken } from "#lib/files/run-change.ts";
import { conflictIn } from "./use-text-file.ts";
import { outcomeOf } from "./use-uploads.ts";

/** The server's refusal as the page gets it. */
async function heard(refusal: AppError | undefined): Promise<Refusal> {
  const door = route({
    guard: () => "somebody",
    handle: () => {
      throw refusal;
    },
  });
  const answer = await door(new Request("http://localhost/x"), { params: Promise.resolve({}) });
  return refusalFrom(answer.status, await answer.json());
}

const full = new AppError("conflict", "There is no room of that name since you opened it.");

describe("an upload", () => {
  test("whose name is taken asks what to do", async () => {
    expect(outcomeOf(await heard(nameTaken()))).toEqual({ state: "exists" });
  });

  test("that meets another conflict has failed, whatever its sentence", async () => {
    expect(outcomeOf(await heard(full))).toEqual({ state: "failed", problem: full.message });
  });

  test("that was given up is cancelled, and one that broke has failed", () => {
    expect(outcomeOf(new Refusal(0, "cancelled", "Cancelled."))).toEqual({ state: "cancelled" });
    expect(outcomeOf(new TypeError("broken"))).toMatchObject({ state: "failed" });
  });
});

describe("a save", () => {
  test.each([
    ["changed", "new"],
    ["gone", null],
  ])("over a file that is %s meanwhile leaves the choice to the person", async (conflict, now) => {
    expect(conflictIn(await heard(conflictBetween("old", now)))).toBe(conflict);
  });

  test("that meets a name which is taken, or another conflict, is a problem with a sentence", async () => {
    expect(conflictIn(await heard(conflictBetween(null, "new")))).toBeUndefined();
    expect(conflictIn(await heard(full))).toBeUndefined();
  });
});
