import { z } from "zod";
import * as fields from "#lib/accounts/fields.ts";
import { createToken, revokeAnyToken, tokensOf } from "#lib/accounts/tokens.ts";
import { COMMAND_LINE } from "#lib/audit.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";
import { userNamed } from "./user-named.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNITS: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

export async function tokenCreate(args: string[]): Promise<string> {
  const { values, positionals } = parse(args, ["email"], {
    name: { type: "string" },
    expires: { type: "string" },
  });
  if (values.name === undefined) throw new UsageError("A new token needs --name.");
  const user = await userNamed(positionals[0]);
  const expiresAt =
    values.expires === undefined ? undefined : new Date(Date.now() + lifetime(values.expires));
  const { token } = await createToken(
    user.id,
    { name: fields.name.parse(values.name), expiresAt },
    COMMAND_LINE,
  );
  return token;
}

export async function tokenList(args: string[]) {
  const { positionals } = parse(args, ["email"], {});
  return tokensOf((await userNamed(positionals[0])).id);
}

export async function tokenRevoke(args: string[]) {
  const { positionals } = parse(args, ["id"], {});
  const id = z.uuid("A token's id looks like the ones `token list` shows.").parse(positionals[0]);
  await revokeAnyToken(id);
  return { revoked: id };
}

function lifetime(text: string): number {
  const [, number, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  const length = Number(number) * (UNITS[unit ?? ""] ?? 0);
  if (!length) throw new UsageError("--expires takes a time such as 12h, 30d or 4w.");
  return length;
}
