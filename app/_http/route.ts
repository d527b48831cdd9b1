// Every door is made with this: who is asking, what they sent, what to do, and errors as answers in one shape.
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { AppError, STATUS } from "#lib/app-error.ts";
import { refuseOtherSites } from "#lib/auth/own-origin.ts";
import { log, requests } from "#lib/log.ts";
import { loggedError } from "#lib/logged-error.ts";
import { inStage } from "#lib/observe/in-stage.ts";
import { countRequest } from "#lib/observe/metrics.ts";
import { readJson } from "./read-body.ts";

export type ErrorBody = (error: AppError) => unknown;

interface Door<Caller, Body, Params> {
  /** A guard of lib/auth: returns the caller or throws. */
  guard: (request: Request) => Caller | Promise<Caller>;
  body?: z.ZodType<Body>;
  params?: z.ZodType<Params>;
  /** What every answer to a known caller says besides, unless it says so itself. */
  headers?: (caller: Caller) => Record<string, string>;
  /** How this door words its errors; the contract's shape unless given. */
  errorBody?: ErrorBody;
  handle: (call: {
    caller: Caller;
    body: Body;
    params: Params;
    request: Request;
  }) => Response | Promise<Response> | unknown;
}

interface Context {
  params: Promise<Record<string, string | string[] | undefined>>;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

export function route<Caller, Body = undefined, Params = undefined>(door: Door<Caller, Body, Params>) {
  return (request: Request, context: Context): Promise<Response> => {
    const requestId = randomUUID();
    return requests.run({ requestId }, async () => {
      const started = performance.now();
      const response = await answer(door, request, context).catch((thrown) => refuse(thrown, door, request));
      response.headers.set("x-request-id", requestId);
      const { method } = request;
      const { status } = response;
      const path = new URL(request.url).pathname;
      const ms = performance.now() - started;
      const route = routeName(path, (await context?.params) ?? {});
      countRequest({ route, method, status, seconds: ms / 1000 });
      // Whoever sends half a request and leaves does so as often as they like.
      const level = status === STATUS.broken_off ? "debug" : "info";
      log()[level]({ method, path, status, ms: Math.round(ms) });
      return response;
    });
  };
}

async function answer<Caller, Body, Params>(
  door: Door<Caller, Body, Params>,
  request: Request,
  context: Context,
): Promise<Response> {
  // A browser brings the cookie along for whoever makes it: what another site has it send changes nothing here.
  if (request.headers.has("cookie") && !SAFE.has(request.method)) refuseOtherSites(request);
  const caller = await inStage("authenticate", () => door.guard(request));
  nameCaller(caller);
  const response = await handle(door, caller, request, context).catch((thrown) =>
    refuse(thrown, door, request),
  );
  for (const [name, value] of Object.entries(door.headers?.(caller) ?? {})) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

async function handle<Caller, Body, Params>(
  door: Door<Caller, Body, Params>,
  caller: Caller,
  request: Request,
  context: Context,
): Promise<Response> {
  const params = door.params ? parse(door.params, await context.params) : (undefined as Params);
  const body = door.body ? parse(door.body, await readJson(request)) : (undefined as Body);
  const result = await door.handle({ caller, body, params, request });
  return result instanceof Response
    ? result
    : Response.json(result, { headers: { "cache-control": "no-store" } });
}

/** From here on the log knows who asked. */
function nameCaller(caller: unknown): void {
  const context = requests.getStore();
  if (context && caller && typeof caller === "object" && "id" in caller) context.userId = String(caller.id);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join(".");
  throw new AppError("bad_request", [where, issue?.message].filter(Boolean).join(": "), { field: where });
}

function refuse(
  thrown: unknown,
  { errorBody = contractBody }: { errorBody?: ErrorBody },
  request: Request,
): Response {
  const error = loggedError(thrown);
  const headers = new Headers({ "cache-control": "no-store" });
  if (error.code === "unauthenticated") headers.set("www-authenticate", challenge(request));
  if (error.retryAfterSeconds) headers.set("retry-after", String(error.retryAfterSeconds));
  return Response.json(errorBody(error), { status: error.status, headers });
}

/** As RFC 6750 has it: whoever brought nothing is asked for a token, whoever brought a bad one is told so. */
function challenge(request: Request): string {
  const realm = 'Bearer realm="Cove"';
  return request.headers.has("authorization") ? `${realm}, error="invalid_token"` : realm;
}

function contractBody({ code, message, details }: AppError): unknown {
  return { error: { code, message, ...(details && { details }) } };
}

// An address with names in place of what changes in it. There are as many of these as there are routes, whatever clients
// send, so that they can be labels of metrics.

export function routeName(path: string, params: Record<string, string | string[] | undefined>): string {
  const names = Object.entries(params).flatMap(([name, value]) =>
    [value].flat().map((part) => ({ part: decoded(part ?? ""), name: `[${name}]` })),
  );
  const parts = path.split("/").map((part) => {
    const index = names.findIndex((one) => one.part === decoded(part));
    return index < 0 ? decoded(part) : names.splice(index, 1)[0]?.name;
  });
  return names.length === 0 ? parts.join("/") : "other";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "other";
  }
}
