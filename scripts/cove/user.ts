import { changeStanding } from "#db/queries/people.ts";
import { findUserByEmail, listUsers } from "#db/queries/users.ts";
import * as fields from "#lib/accounts/fields.ts";
import { addUser } from "#lib/accounts/sign-up.ts";
import { AppError } from "#lib/app-error.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

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
  const user = await findUserByEmail(db(), positionals[0] ?? "");
  if (!user) throw new AppError("not_found", `There is no user ${positionals[0]}.`);
  const changed = await changeStanding(db(), user.id, { admin: true });
  await writeAudit(COMMAND_LINE, "user.promoted", { id: user.id, name: user.email });
  return changed;
}

export async function userList(args: string[]) {
  parse(args, [], {});
  return listUsers(db());
}
