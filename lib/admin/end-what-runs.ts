import { findSandbox } from "#db/queries/sandboxes.ts";
import { interruptTurns } from "../chats/turns.ts";
import { db } from "../database.ts";
import { destroySandbox } from "../own-sandbox/destroy-sandbox.ts";

/** What a server has going for somebody whose account goes: answers under way, the sandbox, and all files in it. */
export async function endWhatRuns(userId: string): Promise<void> {
  await interruptTurns(userId);
  // Without one there is nothing that an engine would be needed for.
  if (await findSandbox(db(), userId)) await destroySandbox(userId);
}
