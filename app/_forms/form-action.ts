// Every form is answered by an action made with this: parse, run, and errors as sentences beside their field.
import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { requests } from "#lib/log.ts";
import { loggedError } from "#lib/logged-error.ts";

export interface FormState<Result = undefined> {
  done?: string;
  problem?: string;
  field?: string;
  result?: Result;
}

export type FormAction<Result = undefined> = (
  previous: FormState<Result>,
  data: FormData,
) => Promise<FormState<Result>>;

export function formAction<Values, Result = undefined>(
  schema: z.ZodType<Values>,
  run: (values: Values) => Promise<FormState<Result>>,
): FormAction<Result> {
  return (_previous, data) => requests.run({ requestId: randomUUID() }, () => answer(schema, run, data));
}

async function answer<Values, Result>(
  schema: z.ZodType<Values>,
  run: (values: Values) => Promise<FormState<Result>>,
  data: FormData,
): Promise<FormState<Result>> {
  const values = schema.safeParse(Object.fromEntries(data));
  if (!values.success) {
    const issue = values.error.issues[0];
    return { problem: issue?.message ?? "Something is missing.", field: String(issue?.path[0] ?? "") };
  }
  try {
    return await run(values.data);
  } catch (thrown) {
    // Redirects travel as exceptions and belong to Next.
    unstable_rethrow(thrown);
    const { message, field } = loggedError(thrown);
    return { problem: message, field };
  }
}
