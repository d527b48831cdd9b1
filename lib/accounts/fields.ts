// What a name, an e-mail and a password look like. Shared by forms and the command line.
import { z } from "zod";

// Long enough for any passphrase, short enough that hashing stays cheap.
const LONGEST_PASSWORD = 1024;

export const name = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(100, "A name has at most 100 characters.")
  .refine(isPrintable, "A name has no control characters.");

export const email = z
  .string()
  .trim()
  .max(254, "An e-mail address has at most 254 characters.")
  .pipe(z.email("Enter an e-mail address, such as ada@example.com."));

export const newPassword = z
  .string()
  .min(10, "A password has at least 10 characters.")
  .max(LONGEST_PASSWORD, `A password has at most ${LONGEST_PASSWORD} characters.`);

/** A password as typed to sign in: whether it is right is another question. */
export const givenPassword = z
  .string()
  .min(1, "Enter your password.")
  .max(LONGEST_PASSWORD, `A password has at most ${LONGEST_PASSWORD} characters.`);

/** Of a form: a box sends something when it is ticked, and nothing when it isn't. */
export const ticked = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

/** What stands behind the `#` of an invitation. */
export const invitationSecret = z
  .string("Open the whole link that you were given.")
  .regex(/^[\w-]{43}$/, "This link is not complete. Open the whole one that you were given.");

/** As typed; whether it is right is another question. */
export const firstAccountCode = z.string().max(100, "That is longer than any code.").optional();

function isPrintable(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}
