// What the command line may have the running server do to somebody's sandbox or account: the server alone knows what goes on.
import { z } from "zod";
import { listenForOrders } from "#db/orders.ts";
import { removeAccount } from "../accounts/remove-account.ts";
import { COMMAND_LINE } from "../audit.ts";
import { packWorkspace } from "../backup/packed-workspace.ts";
import { databaseUrl } from "../database.ts";
import { log } from "../log.ts";
import { destroySandbox } from "../own-sandbox/destroy-sandbox.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { endWhatRuns } from "./end-what-runs.ts";
import { requirePerson } from "./people.ts";

const order = z.discriminatedUnion("verb", [
  z.object({ verb: z.enum(["stop", "destroy", "remove"]), userId: z.uuid() }),
  // For a backup: the workspace is packed into the data directory under this name.
  z.object({ verb: z.literal("pack"), userId: z.uuid(), name: z.uuid() }),
]);
export type Order = z.infer<typeof order>;
type PlainOrder = Exclude<Order, { name: string }>;

const WORK: Record<PlainOrder["verb"], (userId: string) => Promise<void>> = {
  stop: async (userId) => (await sandboxes()).stop(userId),
  destroy: (userId) => destroySandbox(userId),
  remove: async (userId) => removeAccount(await requirePerson(userId), COMMAND_LINE, endWhatRuns),
};

export function takeOrders(): { close(): Promise<void> } {
  return listenForOrders(databaseUrl(), async (given) => {
    const told = order.parse(given);
    const { verb, userId } = told;
    log().info({ verb, userId }, "the command line gave an order");
    await ("name" in told ? packWorkspace(await sandboxes(), userId, told.name) : WORK[told.verb](userId));
  });
}
