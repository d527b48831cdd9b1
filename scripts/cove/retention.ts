import { planRetention } from "#lib/retention/retention.ts";
import { parse } from "./parse.ts";

/** What the server would remove now by the COVE_KEEP_ settings. It does so by itself, once an hour; this changes nothing. */
export async function retentionPlan(args: string[]) {
  parse(args, [], {});
  return { wouldRemove: await planRetention() };
}
