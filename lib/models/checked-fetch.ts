// `fetch` for addresses that a person named: the name is looked up once, every answer must be public, and the connection
// goes to the very address that was checked. Redirects are not followed.
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { networkInterfaces } from "node:os";
import { Readable } from "node:stream";
import { env } from "#env.ts";
import { type Address, dnsLookup, Refusal, resolveChecked, systemLookup } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";

const LOOKUP_MS = 5_000;
const CONNECT_MS = 10_000;
const MOST_BYTES = 32 * 2 ** 20;

/** Throws a sentence for the person who named it. */
export async function checkModelUrl(url: string): Promise<Address[]> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const site = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  const trusted = env().COVE_MODEL_ALLOW.includes(site);
  try {
    if (/(^|\.)localhost$/.test(host) && !trusted) throw new Refusal("private_address", host);
    return await resolveChecked(host, {
      lookup: trusted ? systemLookup : dnsLookup(),
      trusted,
      timeoutMs: LOOKUP_MS,
      isOwn: (address) => ownAddresses().includes(address),
    });
  } catch (cause) {
    const reason =
      cause instanceof Refusal && cause.reason === "private_address"
        ? `${site} is a private address. An operator can allow it with COVE_MODEL_ALLOW=${site}.`
        : `${host} can't be found. Check the address.`;
    throw new AppError("bad_request", reason, { cause, field: "baseUrl" });
  }
}

export const checkedFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const addresses = await checkModelUrl(request.url);
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
  return new Promise((resolve, reject) => {
    const make = request.url.startsWith("https:") ? httpsRequest : httpRequest;
    const sent = make(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal: request.signal,
      agent: false,
      lookup: (_name, { all }, answer) => {
        if (all) answer(null, addresses);
        else answer(null, addresses[0]?.address ?? "", addresses[0]?.family);
      },
    });
    sent.once("socket", (socket) => {
      const late = setTimeout(() => sent.destroy(new Error("The model server does not answer.")), CONNECT_MS);
      socket.once("connect", () => clearTimeout(late)).once("close", () => clearTimeout(late));
    });
    sent.once("response", (answer) => resolve(toResponse(answer))).once("error", reject);
    sent.end(body);
  });
};

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const status = answer.statusCode ?? 502;
  // What these carry has no body, and what is odd (a redirect, an informational answer) is an error here.
  if (status < 200 || status === 204 || status === 205 || status === 304) {
    answer.resume();
    return new Response(null, { status: 502, headers });
  }
  return new Response(
    Readable.toWeb(Readable.from(bounded(answer), { objectMode: false })) as ReadableStream,
    { status, headers },
  );
}

/** Whoever runs that server may never stop talking, or never end a line. */
async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error("The model server sent too much.");
    yield chunk;
  }
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
