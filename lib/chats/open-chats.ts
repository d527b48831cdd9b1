// What conversations need of a server that starts: nobody gives the answers of the last one any more.
import { interruptRunningMessages } from "#db/queries/messages.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { sweepConversations } from "./conversations.ts";

const SWEEP_MS = 3600_000;

export async function openChats(): Promise<void> {
  await interruptRunningMessages(db());
  const sweep = () =>
    sweepConversations().catch((err) => log().warn({ err }, "deleted conversations are swept later"));
  await sweep();
  setInterval(sweep, SWEEP_MS).unref();
}
