// `npm run -s cove -- <command>`: administration from a shell. Answers are JSON on stdout, problems sentences on stderr.
import path from "node:path";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { skillCheck } from "./cove/skill.ts";
import { tokenCreate, tokenList, tokenRevoke } from "./cove/token.ts";
import { UsageError } from "./cove/usage-error.ts";
import { userAdd, userAdmin, userList, userPassword } from "./cove/user.ts";
import { withDatabase } from "./cove/with-database.ts";
import { loadDotEnv } from "./dot-env.ts";
import { fail } from "./steps.ts";

/** Takes the words after its name, and the address of the database. */
type Command = (args: string[], databaseUrl: string) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  "user add": userAdd,
  "user admin": userAdmin,
  "user list": userList,
  "user password": userPassword,
  "retention plan": async (args) => (await import("./cove/retention.ts")).retentionPlan(args),
  "token create": tokenCreate,
  "token list": tokenList,
  "token revoke": tokenRevoke,
  // Loaded when needed: everything that knows about containers would slow the others down.
  "user remove": async (args, url) => (await import("./cove/remove-user.ts")).userRemove(args, url),
  "sandbox list": async (args) => (await import("./cove/sandbox.ts")).sandboxList(args),
  "sandbox stop": async (args, url) => (await import("./cove/sandbox.ts")).sandboxStop(args, url),
  backup: async (args, url) => (await import("./cove/backup.ts")).backup(args, url),
  "sandbox destroy": async (args, url) => (await import("./cove/sandbox.ts")).sandboxDestroy(args, url),
  "installation renew": async (args, url) =>
    (await import("./cove/installation.ts")).installationRenew(args, url),
  "installation take": async (args, url) =>
    (await import("./cove/installation.ts")).installationTake(args, url),
};

// An author of skills has a folder and nothing else; a restore looks at the backup before it makes a database.
const WITHOUT_DATABASE: typeof COMMANDS = {
  "skill check": skillCheck,
  restore: async (args) => (await import("./cove/restore.ts")).restore(args),
};

const USAGE = `Usage: npm run -s cove -- <command>

  user add <email> --password <p> [--name <n>] [--admin]
  user admin <email>
  user list
  user password <email> [--password <p>] [--revoke-tokens]
  user remove <email> [--yes]
  token create <email> --name <n> [--expires 30d]
  token list <email>
  token revoke <id>
  sandbox list
  sandbox stop <email>
  sandbox destroy <email>
  skill check <dir>
  retention plan
  installation renew
  installation take
  backup <folder>
  restore <folder>`;

loadDotEnv(path.resolve(import.meta.dirname, ".."));
const [noun, verb] = process.argv.slice(2);
const named = { ...COMMANDS, ...WITHOUT_DATABASE };
const words = `${noun}` in named ? `${noun}` : `${noun} ${verb}`;
const args = process.argv.slice(2 + words.split(" ").length);
const command = named[words];

if (!command) {
  if (noun === undefined || noun === "help" || noun === "--help") {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  fail(`There is no command "${[noun, verb].filter(Boolean).join(" ")}".\n\n${USAGE}`);
}

try {
  const answer =
    words in WITHOUT_DATABASE ? await command(args, "") : await withDatabase((url) => command(args, url));
  // A token is printed alone, so that a script can use it as it is.
  process.stdout.write(typeof answer === "string" ? `${answer}\n` : `${JSON.stringify(answer, null, 2)}\n`);
} catch (error) {
  if (error instanceof UsageError) fail(`${error.message}\n\n${USAGE}`);
  if (error instanceof z.ZodError) fail(error.issues.map((issue) => issue.message).join("\n"));
  if (error instanceof AppError) fail(error.message);
  fail(error);
}
