import { unknownPath } from "#app/_http/no-such-door.ts";

const none = unknownPath();

export { none as DELETE, none as GET, none as PATCH, none as POST, none as PUT };
