import { changeStanding } from "#db/queries/people.ts";
import { countTokens } from "#db/queries/tokens.ts";
import { listUsers } from "#db/queries/users.ts";
import * as fields from "#lib/accounts/fields.ts";
import { replacePassword } from "#lib/accounts/replace-password.ts";
import { addUser } from "#lib/accounts/sign-up.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { parse } from "./parse.ts";
import { readSecretLine } from "./read-secret-line.ts";
import { UsageError } from "./usage-error.ts";
import { userNamed } from "./user-named.ts";

export async function userAdd(args: string[]) {
  const { values, positionals } = parse(args, ["email"], {
    password: { type: "string" },
    name: { type: "string" },
    admin: { type: "boolean" },
  });
  if (values.password === undefined) throw new UsageError("A new user needs --password.");
  const email = fields.email.parse(positionals[0]);
  const name = fields.name.parse(values.name ?? email.split("@")[0]);
  const password = fields.newPassword.parse(values.password);
  return addUser({ email, name, password, admin: values.admin }, COMMAND_LINE);
}

export async function userAdmin(args: string[]) {
  const { positionals } = parse(args, ["email"], {});
  const user = await userNamed(positionals[0]);
  const changed = await changeStanding(db(), user.id, { admin: true });
  await writeAudit(COMMAND_LINE, "user.promoted", { id: user.id, name: user.email });
  return changed;
}

/** Ends their web sessions and clears what was counted against them; their API tokens stay unless told otherwise. */
export async function userPassword(args: string[]) {
  const { values, positionals } = parse(args, ["email"], {
    password: { type: "string" },
    "revoke-tokens": { type: "boolean" },
  });
  const user = await userNamed(positionals[0]);
  const given = values.password ?? (await readSecretLine(`New password of ${user.email}: `));
  const password = fields.newPassword.parse(given);
  const revokeTokens = values["revoke-tokens"];
  const tokensRevoked = await replacePassword(user, { password, by: COMMAND_LINE, revokeTokens });
  const tokens = await countTokens(db(), user.id);
  return {
    changed: user.email,
    tokensRevoked,
    tokens,
    ...(tokens > 0 && { note: `API tokens go on working: ${tokens}. --revoke-tokens revokes them.` }),
  };
}

export async function userList(args: string[]) {
  parse(args, [], {});
  return listUsers(db());
}
