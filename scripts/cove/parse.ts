import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** The words of a command: as many positionals as named, and the options given. */
export function parse<const O extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  names: string[],
  options: O,
) {
  const { values, positionals } = attempt(() =>
    parseArgs({ args, options, allowPositionals: true, strict: true }),
  );
  if (positionals.length !== names.length) {
    throw new UsageError(
      names.length
        ? `This command takes ${names.map((n) => `<${n}>`).join(" ")}.`
        : "This command takes no words.",
    );
  }
  return { values, positionals };
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}
