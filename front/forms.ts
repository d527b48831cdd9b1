// What is sent to a page is a form, and Next holds all of it in memory before it looks at it, whoever sends it. One that is too
// large is refused here: Next would take in the rest, and act on the part that it kept.
import type { IncomingMessage, ServerResponse } from "node:http";

/** As much as Next accepts for an action. */
export const MOST_FORM_BYTES = 2 ** 20;

const TOO_LARGE = "That form is larger than 1 MB. Nothing was saved.\n";

/** Where large bodies may go. They are handed on as they come, to handlers that know who is asking before they read. */
const DOORS = /^\/(api|v1|execute)\/|^\/execute(?=$|[?#])/;

/** Whatever isn't known to be a door is taken for a page. */
export function isSentToPage({ url = "" }: IncomingMessage): boolean {
  return !DOORS.test(url);
}

/** False if it is too large, and has been refused. One that doesn't say how large it is may turn out to be so later. */
export function admitForm(request: IncomingMessage, response: ServerResponse): boolean {
  if (Number(request.headers["content-length"] ?? 0) > MOST_FORM_BYTES) {
    refuse(response);
    return false;
  }
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null || bytes > MOST_FORM_BYTES) return chunk !== null || push(null);
    bytes += chunk.length;
    if (bytes <= MOST_FORM_BYTES) return push(chunk, encoding);
    refuse(response);
    // Next waits for the end before it sees that there is nothing left to answer.
    request.socket.once("close", () => push(null));
    return true;
  };
  return true;
}

/** Not by closing: whoever still sends would lose the answer. The rest is taken for a while, and thrown away. */
function refuse(response: ServerResponse): void {
  if (response.headersSent) return;
  response
    .writeHead(413, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(TOO_LARGE),
      "cache-control": "no-store",
      connection: "keep-alive",
    })
    .end(TOO_LARGE);
}
