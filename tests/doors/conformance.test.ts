// The protocol's official conformance suite against our edge, with its fixtures on a route that only tests have.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { ownCove } from "../support/caller.ts";
import { cleanEnv, root } from "../support/cove.ts";

/** What the suite asks of a server without calling its fixtures by name, but for this one, which some checks also look for. */
const DIAGNOSTIC_TOOL = "test_missing_capability";
const WITHOUT_FIXTURES: Record<string, string[]> = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
  ],
};

const own = ownCove({ COVE_CONFORMANCE: "1" });
const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance");
let proxy: http.Server;
let origin: string;

beforeAll(async () => {
  const { token } = await own.caller();
  proxy = bearerProxy(own.cove.url, token);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  origin = `http://localhost:${(proxy.address() as AddressInfo).port}`;
});

afterAll(() => proxy.close());

test.each(["2025-11-25", "2026-07-28"])(
  "every scored scenario of %s passes",
  { timeout: 900_000 },
  async (revision) => {
    const requirements = path.join(suite, "requirements", `${revision}.yaml`);
    const { server } = parse(await readFile(requirements, "utf8")) as { server: string[] };
    await expectConformance("/api/conformance", revision, server);
  },
);

test.each(Object.entries(WITHOUT_FIXTURES))(
  "what %s asks of any server holds at the door that everybody uses",
  { timeout: 900_000 },
  (revision, scenarios) =>
    expectConformance("/api/mcp", revision, scenarios, (failure) => !failure.includes(DIAGNOSTIC_TOOL)),
);

async function expectConformance(
  door: string,
  revision: string,
  scenarios: string[],
  counts: (failure: string) => boolean = () => true,
): Promise<void> {
  const results = await mkdtemp(path.join(tmpdir(), "conformance-"));
  const where = ["--url", origin + door, "--requirements", revision, "-o", results];
  const report = await run(["server", ...where, "--timeout", "180000"]);
  const outcomes = await outcomesIn(results);
  await rm(results, { recursive: true });
  // One that was not run has no failures to show, and fails.
  const failures = scenarios.map((scenario) => [scenario, outcomes.get(scenario)?.failures.filter(counts)]);
  expect(
    failures.filter(([, found]) => found?.length !== 0),
    report,
  ).toEqual([]);
}

test("the fixtures are nowhere else", async () => {
  const tools = await (await fetch(`${origin}/tools`)).text();
  expect(tools).toContain("execute_bash");
  expect(tools).not.toContain("test_simple_text");
});

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** A scenario's checks are in a directory that begins with `server-` and its name and ends with a time. */
async function outcomesIn(directory: string): Promise<Map<string, { failures: string[] }>> {
  const outcomes = new Map<string, { failures: string[] }>();
  for (const entry of await readdir(directory)) {
    const checks: Check[] = JSON.parse(await readFile(path.join(directory, entry, "checks.json"), "utf8"));
    const name = entry.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    const failures = checks.filter(({ status }) => status === "FAILURE");
    outcomes.set(name, { failures: failures.map(({ id, errorMessage }) => `${id}: ${errorMessage}`) });
  }
  return outcomes;
}

async function run(args: string[]): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [path.join(suite, "dist/index.js"), ...args], {
    env: cleanEnv(),
    maxBuffer: 64 * 2 ** 20,
  });
  // It exits with an error when something that is not scored fails, too.
  const { stdout, stderr } = await ran.catch((error) => error);
  return `${stdout}\n${stderr}`;
}

/** The suite can't send a token. Everything else goes through as it is, `Host` and `Origin` too. */
function bearerProxy(target: string, token: string): http.Server {
  return http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const forward = http.request(
      `${target}${request.url}`,
      { method: request.method, headers, setHost: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forward.on("error", () => response.destroy());
    response.on("close", () => forward.destroy());
    request.pipe(forward);
  });
}
