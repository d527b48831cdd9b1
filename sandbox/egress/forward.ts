// One plain HTTP request to a site and its answer. Redirects go back to the client, whose next request is judged anew.

import type { Duplex } from "node:stream";
import { endToEnd, formatHead, parseHead } from "./http-head.ts";
import { type ProxyRequest, requestHead } from "./proxy-request.ts";
import { headEnd } from "./read-head.ts";
import { formatRefusal, Refusal } from "./refusal.ts";
import { type RelayOptions, relay } from "./relay.ts";
import { bodyScanner } from "./request-body.ts";

const LONGEST_HEAD = 64 * 1024;

export function forward(
  client: Duplex,
  site: Duplex,
  request: ProxyRequest,
  limits: Pick<RelayOptions, "count" | "idleMs">,
): Promise<void> {
  const body = bodyScanner(request.framing);
  const response = responseGate();
  site.write(requestHead(request));
  return relay(client, site, {
    ...limits,
    outgoing: (chunk) => chunk.subarray(0, body.take(chunk)),
    incoming: response.pass,
    onClientEnd() {
      if (!body.done()) throw new Refusal("bad_request", "The body of the request ended too early.");
    },
    onSiteClose() {
      if (!response.begun()) throw new Refusal("bad_response", `${request.host} closed without an answer.`);
    },
    endsWithSite: true,
    lastWords: (error) => (error instanceof Refusal && !response.begun() ? formatRefusal(error) : undefined),
  });
}

/** Lets the answer pass, with `Connection: close` in its head: the client's next request may be for another site. */
function responseGate() {
  let held: Buffer[] = [];
  let size = 0;
  let endIn = headEnd();
  let begun = false;

  function pass(chunk: Buffer): Buffer {
    const out: Buffer[] = [];
    let rest = chunk;
    while (!begun && rest.length > 0) {
      const end = endIn(rest);
      held.push(rest.subarray(0, end));
      size += end ?? rest.length;
      if (size > LONGEST_HEAD) throw malformed();
      if (end === undefined) return Buffer.concat(out);
      out.push(rewritten(Buffer.concat(held)));
      rest = rest.subarray(end);
      held = [];
      size = 0;
      endIn = headEnd();
    }
    return out.length > 0 ? Buffer.concat([...out, rest]) : rest;
  }

  function rewritten(bytes: Buffer): Buffer {
    const head = parseHead(bytes);
    const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(head?.start ?? "")?.[1]);
    // No upgrade was passed on, so none can be accepted.
    if (!head || !status || status === 101) throw malformed();
    // 100 and its like only announce the answer proper.
    begun = status >= 200;
    const headers = endToEnd(head.headers);
    return formatHead({
      start: head.start,
      headers: begun ? [...headers, ["Connection", "close"]] : headers,
    });
  }

  return { pass, begun: () => begun };
}

function malformed(): Refusal {
  return new Refusal("bad_response", "The site's answer is not valid HTTP.");
}
