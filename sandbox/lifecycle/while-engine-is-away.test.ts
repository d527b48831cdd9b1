import { expect, test, vi } from "vitest";
import { EngineError } from "../errors.ts";
import { whileEngineIsAway } from "./while-engine-is-away.ts";

const away = () => new EngineError("engine_unavailable", "away");

test("an engine that comes back in time is not an error", async () => {
  const attempt = vi.fn<() => Promise<string>>().mockRejectedValueOnce(away()).mockResolvedValue("back");
  await expect(whileEngineIsAway(attempt, 1000)).resolves.toBe("back");
});

test("patience ends", async () => {
  const attempt = vi.fn(() => Promise.reject(away()));
  await expect(whileEngineIsAway(attempt, 120)).rejects.toMatchObject({ code: "engine_unavailable" });
  expect(attempt.mock.calls.length).toBeGreaterThan(1);
});

test("any other failure is final at once", async () => {
  const attempt = vi.fn(() => Promise.reject(new EngineError("image_missing", "no image")));
  await expect(whileEngineIsAway(attempt, 1000)).rejects.toMatchObject({ code: "image_missing" });
  expect(attempt).toHaveBeenCalledOnce();
});
