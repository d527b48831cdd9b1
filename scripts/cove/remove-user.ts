import { countBelongings } from "#db/queries/people.ts";
import { isLastAdmin } from "#db/queries/users.ts";
import { lastAdministrator, removeAccount } from "#lib/accounts/remove-account.ts";
import { COMMAND_LINE } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { destroySandbox } from "#lib/own-sandbox/destroy-sandbox.ts";
import { onInstallation, withOwnSandboxes } from "./on-installation.ts";
import { parse } from "./parse.ts";
import { userNamed } from "./user-named.ts";

// A person's rows may be millions.
const PATIENCE_MS = 10 * 60_000;

/** The account with everything of its: rows, contents, sandbox and workspace. Without --yes it only says what would go. */
export async function userRemove(args: string[], url: string) {
  const { values, positionals } = parse(args, ["email"], { yes: { type: "boolean" } });
  const user = await userNamed(positionals[0]);
  if (await isLastAdmin(db(), user.id)) throw lastAdministrator(user);
  const belongings = { email: user.email, ...(await countBelongings(db(), user.id)) };
  if (!values.yes) {
    return { wouldRemove: belongings, note: "Nothing was removed. --yes removes all of it, for good." };
  }
  // Without a sandbox there is nothing that an engine would be needed for.
  const endWhatRuns = async (userId: string) => {
    if (belongings.sandbox) await withOwnSandboxes((sandboxes) => destroySandbox(userId, sandboxes));
  };
  await onInstallation(url, {
    order: { verb: "remove", userId: user.id },
    patienceMs: PATIENCE_MS,
    directly: () => removeAccount(user, COMMAND_LINE, endWhatRuns),
  });
  return { removed: belongings };
}
