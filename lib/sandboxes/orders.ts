// What the command line may have the running server do to somebody's sandbox.
import { z } from "zod";
import { listenForOrders } from "#db/orders.ts";
import { databaseUrl } from "../database.ts";
import { log } from "../log.ts";
import { destroySandbox } from "./destroy-sandbox.ts";
import { sandboxes } from "./sandboxes.ts";

export const sandboxOrder = z.object({ verb: z.enum(["stop", "destroy"]), userId: z.uuid() });
export type SandboxOrder = z.infer<typeof sandboxOrder>;

export function takeSandboxOrders(): { close(): Promise<void> } {
  return listenForOrders(databaseUrl(), async (given) => {
    const { verb, userId } = sandboxOrder.parse(given);
    log().info({ verb, userId }, "a sandbox is administered");
    await (verb === "destroy" ? destroySandbox(userId) : (await sandboxes()).stop(userId));
  });
}
