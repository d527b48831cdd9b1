import { unknownPath } from "#app/_http/no-such-door.ts";

/** As OpenAI says it. */
const none = unknownPath(({ message }) => ({
  error: { message, type: "invalid_request_error", code: "unknown_url", param: null },
}));

export { none as DELETE, none as GET, none as PATCH, none as POST, none as PUT };
