// What a client of an HTTP proxy asks for: a tunnel (`CONNECT host:port`) or a page (`GET http://host/path`).

import { formatAuthority, parseAuthority } from "./authority.ts";
import { endToEnd, formatHead, type Header, parseHead, valuesOf } from "./http-head.ts";
import { Refusal } from "./refusal.ts";
import { bodyFraming, type Framing } from "./request-body.ts";

export type ProxyRequest = {
  method: string;
  host: string;
  port: number;
  /** Empty for a tunnel. */
  path: string;
  version: string;
  headers: Header[];
  framing: Framing;
};

export function parseProxyRequest(bytes: Buffer): ProxyRequest {
  const head = parseHead(bytes);
  if (!head) throw new Refusal("bad_request", "The head of the request is malformed.");
  const [, method = "", target = "", version = ""] =
    /^([A-Z]{1,32}) ([!-~]+) (HTTP\/1\.[01])$/.exec(head.start) ?? [];
  if (!method || valuesOf(head.headers, "host").length > 1) {
    throw new Refusal(
      "bad_request",
      "The request is malformed: it should begin like GET http://host/ HTTP/1.1.",
    );
  }
  const framing = bodyFraming(head.headers);
  if (framing.kind === "chunked" && version === "HTTP/1.0") {
    throw new Refusal("bad_request", "HTTP/1.0 knows no chunks: send a Content-Length.");
  }
  const rest = { method, version, headers: head.headers, framing };
  return method === "CONNECT" ? tunnel(target, rest) : page(target, rest);
}

/** The head as the site gets it: its own name, nothing meant for the proxy, and the connection closed afterwards. */
export function requestHead({ method, host, port, path, version, headers, framing }: ProxyRequest): Buffer {
  const rewritten = ["host", "content-length", "transfer-encoding"];
  const others = endToEnd(headers, rewritten).filter(([name]) => !/^proxy-/i.test(name));
  const length: Header[] = [];
  if (framing.kind === "chunked") length.push(["Transfer-Encoding", "chunked"]);
  if (framing.kind === "length") length.push(["Content-Length", String(framing.length)]);
  if (framing.kind === "none" && valuesOf(headers, "content-length").length > 0)
    length.push(["Content-Length", "0"]);
  const site: Header = ["Host", formatAuthority(host, port === 80 ? undefined : port)];
  const start = `${method} ${path} ${version}`;
  return formatHead({ start, headers: [site, ...others, ...length, ["Connection", "close"]] });
}

type Rest = Pick<ProxyRequest, "method" | "version" | "headers" | "framing">;

function tunnel(target: string, rest: Rest): ProxyRequest {
  const { host, port } = parseAuthority(target);
  if (port === undefined || rest.framing.kind !== "none") {
    throw new Refusal("bad_request", "A tunnel needs a host and a port, and has no body: CONNECT host:443.");
  }
  return { ...rest, host, port, path: "" };
}

function page(target: string, rest: Rest): ProxyRequest {
  const [, authority, path = ""] = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(target) ?? [];
  if (authority === undefined) {
    const message =
      "This is a proxy: ask for whole addresses that begin with http://, and use CONNECT for everything else.";
    throw new Refusal("bad_request", message);
  }
  const { host, port = 80 } = parseAuthority(authority);
  return { ...rest, host, port, path: path.startsWith("/") ? path : `/${path}` };
}
