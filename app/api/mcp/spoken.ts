import { loggedError } from "#lib/logged-error.ts";

/** Whatever fails behind the protocol reaches the client as a sentence, and us as a line in the log. */
export function spoken<Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) {
  return (...given: Given): Promise<Answer> =>
    work(...given).catch((error) => {
      throw loggedError(error);
    });
}
