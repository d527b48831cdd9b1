import { expect, test } from "vitest";
import { insertAgentTurn } from "#db/queries/agent-turns.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { requireTokensLeft } from "./token-limit.ts";

ownDatabase();

test("a day's tokens are the installation's, end with a sentence, and are new the next day", async () => {
  const { id: userId } = await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" });
  const turn = { userId, door: "chat", model: "google/x", steps: 1, durationMs: 1, outcome: "done" };
  const used = { inputTokens: 19_000_000, outputTokens: 1_000_000 };
  await insertAgentTurn(db(), { ...turn, ...used, ownKey: true });
  await requireTokensLeft(userId, { ownKey: false });

  await insertAgentTurn(db(), { ...turn, ...used, ownKey: false });
  await expect(requireTokensLeft(userId, { ownKey: false })).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("20,000,000 of 20,000,000 model tokens today"),
    retryAfterSeconds: expect.any(Number),
  });
  await requireTokensLeft(userId, { ownKey: true });
  await requireTokensLeft(userId, { ownKey: false }, Date.now() + 24 * 3_600_000);
});
