/** A command was called with the wrong words; the usage follows the message. */
export class UsageError extends Error {
  override name = "UsageError";
}
