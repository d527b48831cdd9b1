// The only reader of the environment. Parsed on first use, so that building and importing need no variables.
import { accessSync, constants, statSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";

export type Env = ReturnType<typeof parseEnv>;

/** A variable is wrong. The message names it and is meant for the operator's eyes. */
export class EnvError extends Error {
  override name = "EnvError";
}

let parsed: Env | undefined;

export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** Has it read anew, for tests that change it. */
export function forgetEnv(): void {
  parsed = undefined;
}

/** As it is, for what looks in the host's own npm and pip configuration, which variables are part of. */
export function hostEnvironment(): Record<string, string | undefined> {
  return process.env;
}

export function parseEnv(source: Record<string, string | undefined>) {
  // A line such as `PORT=` in an .env file means "not set".
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(set);
  if (!result.success) throw new EnvError(result.error.issues.map(describe).join("\n"));
  const values = result.data;
  const url = values.COVE_URL ?? `http://${nameOf(values.COVE_LISTEN)}:${values.PORT}`;
  return {
    ...values,
    COVE_URL: url,
    COVE_DATA_DIR: path.resolve(values.COVE_DATA_DIR),
    COVE_SKILLS_DIR: values.COVE_SKILLS_DIR && path.resolve(values.COVE_SKILLS_DIR),
    DOCKER_CERT_PATH: certificates(values),
    development: source.NODE_ENV === "development",
    /** Nobody from elsewhere gets here, neither to the port nor through a proxy on this machine under a name of its own. */
    loopbackOnly: isLoopback(values.COVE_LISTEN) && isLoopback(new URL(url).hostname),
  };
}

const CERTIFICATES = ["ca.pem", "cert.pem", "key.pem"];

const schema = z
  .object({
    PORT: wholeNumber(1, 65535).default(3000),
    // The address that is listened on: this machine's own unless told otherwise.
    COVE_LISTEN: z
      .string()
      .refine((text) => isIP(text) !== 0, "must be an address, such as 127.0.0.1, or 0.0.0.0 for all")
      .default("127.0.0.1"),
    COVE_URL: origin().optional(),
    COVE_DATA_DIR: z.string().default(".data"),
    // Skills of the operator's, for everybody, besides the built-in ones.
    COVE_SKILLS_DIR: folder().optional(),
    // Where the build goes. The tests have one of their own, so that they never disturb a running server.
    COVE_BUILD_DIR: z.string().default(".next"),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must start with postgresql://")
      .optional(),
    AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
    // The reverse proxies that may say where a request comes from.
    COVE_TRUSTED_PROXIES: proxyList().default([]),
    COVE_SIGNUP: z.enum(["open", "closed"]).default("open"),
    AUTH_GITHUB_ID: z.string().optional(),
    AUTH_GITHUB_SECRET: z.string().optional(),
    // A GitHub Enterprise Server instead of github.com.
    AUTH_GITHUB_URL: httpUrl().optional(),
    AUTH_GOOGLE_ID: z.string().optional(),
    AUTH_GOOGLE_SECRET: z.string().optional(),
    COVE_MODEL: z
      .string()
      .regex(/^(google|openai|local)\/.+$/, "must look like google/<name>, openai/<name> or local/<name>")
      .optional(),
    GEMINI_API_KEY: z.string().optional(),
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: httpUrl().optional(),
    // Where the providers themselves answer; others are for proxies and tests.
    COVE_GEMINI_URL: httpUrl().default("https://generativelanguage.googleapis.com/v1beta"),
    COVE_OPENAI_URL: httpUrl().default("https://api.openai.com/v1"),
    // Private addresses that people may name as their own model server.
    COVE_MODEL_ALLOW: hostList().default([]),
    COVE_AGENT_STEPS: wholeNumber(1, 1000).default(40),
    COVE_AGENT_TIMEOUT: wholeNumber(1, 86_400).default(1200),
    COVE_AGENT_TOKENS: wholeNumber(1000, 1_000_000_000).default(1_000_000),
    COVE_AGENT_PATIENCE: wholeNumber(1, 3600).default(120),
    COVE_SANDBOX_IMAGE: z.string().optional(),
    COVE_SANDBOX_MEMORY: bytes("64m").default(2 ** 30),
    COVE_SANDBOX_CPUS: z.coerce.number("must be a number").min(0.1, "must be at least 0.1").default(1),
    COVE_SANDBOX_PIDS: wholeNumber(16, 32768).default(256),
    COVE_SANDBOX_DISK: bytes("32m").default(2 * 2 ** 30),
    COVE_SANDBOX_RUNTIME: z.string().optional(),
    COVE_EGRESS: z.enum(["off", "packages", "open"]).default("packages"),
    COVE_EGRESS_ALLOW: hostList().default([]),
    COVE_WARM_POOL: wholeNumber(0, 100).default(2),
    COVE_IDLE_PAUSE: wholeNumber(1, 86_400).default(120),
    COVE_IDLE_STOP: wholeNumber(1, 604_800).default(1800),
    COVE_TIMEOUT: wholeNumber(1, 86_400).default(30),
    COVE_TIMEOUT_MAX: wholeNumber(1, 86_400).default(600),
    COVE_CONCURRENCY: wholeNumber(1, 1000).default(8),
    COVE_RATE_LIMIT: wholeNumber(1, 1_000_000).default(600),
    // Of what models read and write for one user in a day (UTC), on the installation's keys.
    COVE_TOKENS_PER_DAY: wholeNumber(0, 1_000_000_000_000).default(20_000_000),
    // What is kept of a user's runs; the oldest output goes first.
    COVE_HISTORY_SIZE: bytes("1m").default(2 ** 30),
    // All versions of everything a user's runs made.
    COVE_ARTIFACTS_SIZE: bytes("1m").default(5 * 2 ** 30),
    // Days until things are removed; without a number they are kept.
    COVE_KEEP_RUNS: wholeNumber(1, 36_500).optional(),
    COVE_KEEP_ARTIFACTS: wholeNumber(1, 36_500).optional(),
    COVE_KEEP_WORKSPACES: wholeNumber(1, 36_500).optional(),
    COVE_SHUTDOWN: z.enum(["stop", "keep"]).default("stop"),
    // For `npm run mcp` only: the token the relay calls with.
    COVE_TOKEN: z
      .string()
      .regex(/^cove_[\w-]{43}$/, "must be an API token, as Settings → API tokens makes them")
      .optional(),
    // For tests only: serves the fixtures of MCP's conformance suite at /api/conformance.
    COVE_CONFORMANCE: z.enum(["1"]).optional(),
    // An OpenTelemetry collector; without one no traces are made.
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl().optional(),
    COVE_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    DOCKER_HOST: z
      .string()
      .regex(/^(unix|tcp|https?|ssh):\/\//, "must look like unix:///path, tcp://host:port or ssh://host")
      .optional(),
    // Docker's own names: an engine at a tcp:// address is spoken to over TLS if either is set.
    DOCKER_TLS_VERIFY: z.enum(["1"]).optional(),
    DOCKER_CERT_PATH: folder().optional(),
  })
  .refine((v) => v.COVE_TIMEOUT <= v.COVE_TIMEOUT_MAX, {
    path: ["COVE_TIMEOUT"],
    message: "must not be larger than COVE_TIMEOUT_MAX",
  })
  .refine((v) => v.COVE_IDLE_PAUSE <= v.COVE_IDLE_STOP, {
    path: ["COVE_IDLE_PAUSE"],
    message: "must not be larger than COVE_IDLE_STOP",
  })
  .refine((v) => CERTIFICATES.every((file) => isReadable(certificates(v), file)), {
    path: ["DOCKER_CERT_PATH"],
    message: `must hold ${CERTIFICATES.join(", ")}, readable, for an engine over TLS`,
  })
  .superRefine((v, context) => {
    for (const [one, other] of OAUTH_PAIRS) {
      if (Boolean(v[one]) !== Boolean(v[other])) {
        const [missing, present] = v[one] ? [other, one] : [one, other];
        context.addIssue({
          code: "custom",
          path: [missing],
          message: `must be set too, since ${present} is`,
        });
      }
    }
  });

/** Every variable there is, by name. */
export const VARIABLES: readonly string[] = Object.keys(schema.shape);

/** What is set to nothing means "not set", also to libraries that read the environment by themselves. */
export function dropEmptyVariables(): void {
  for (const name of VARIABLES) if (process.env[name] === "") delete process.env[name];
}

const OAUTH_PAIRS = [
  ["AUTH_GITHUB_ID", "AUTH_GITHUB_SECRET"],
  ["AUTH_GOOGLE_ID", "AUTH_GOOGLE_SECRET"],
] as const;

// The value itself stays out of the message: several of these variables hold secrets.
function describe(issue: z.core.$ZodIssue): string {
  const name = issue.path.join(".");
  const message =
    issue.code === "invalid_value" ? `must be one of ${issue.values.join(", ")}` : issue.message;
  return `${name} ${message}.`;
}

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((n) => n >= min && n <= max, message);
}

/** An address, or the name that stands for one in ours. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(address);
}

/** What people on this machine type for it. */
function nameOf(address: string): string {
  if (isLoopback(address) || address === "0.0.0.0" || address === "::") return "localhost";
  return isIP(address) === 6 ? `[${address}]` : address;
}

function folder() {
  const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return z.string().refine(isFolder, "must be a folder that exists");
}

/** Where Docker's own client looks for them, too; none where the engine isn't reached by TCP, or without TLS. */
function certificates(v: { DOCKER_HOST?: string; DOCKER_TLS_VERIFY?: string; DOCKER_CERT_PATH?: string }) {
  const overTls = /^(tcp|https):/.test(v.DOCKER_HOST ?? "") && (v.DOCKER_TLS_VERIFY || v.DOCKER_CERT_PATH);
  return overTls ? path.resolve(v.DOCKER_CERT_PATH ?? path.join(homedir(), ".docker")) : undefined;
}

function isReadable(folder: string | undefined, file: string): boolean {
  if (folder === undefined) return true;
  try {
    accessSync(path.join(folder, file), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function httpUrl() {
  const message = "must be an http:// or https:// address";
  return z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), message)
    .transform((text) => text.replace(/\/+$/, ""));
}

/** Nothing here works below a path. */
function origin() {
  return httpUrl().refine(
    (text) => new URL(text).origin === new URL(text).href.replace(/\/$/, ""),
    "must be an http:// or https:// address without a path",
  );
}

function bytes(least: string) {
  const message = `must be a size such as 512m or 2g, at least ${least}`;
  return z
    .string()
    .regex(/^\d+(\.\d+)?[kmg]?b?$/i, message)
    .transform(toBytes)
    .refine((size) => size >= toBytes(least), message);
}

function toBytes(text: string): number {
  const [, number, unit] = /^([\d.]+)([kmg]?)/i.exec(text) ?? [];
  return Math.round(Number(number) * 1024 ** ["", "k", "m", "g"].indexOf((unit ?? "").toLowerCase()));
}

function proxyList() {
  return z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim().toLowerCase()))
    .refine(
      (names) => names.every((one) => one === "loopback" || one === "private" || isNetwork(one)),
      "must be a comma list of addresses, networks such as 10.0.0.0/8, loopback or private",
    );
}

/** An address, or one with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [address = "", length = "0", ...rest] = text.split("/");
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

function hostList() {
  return z
    .string()
    .transform((text) => text.split(",").map((host) => host.trim()))
    .refine(
      (hosts) => hosts.every((host) => /^(\[[0-9a-f:.]+\]|[^\s:/@*[\]]+)(:\d{1,5})?$/i.test(host)),
      "must be a comma list of host or host:port",
    );
}
