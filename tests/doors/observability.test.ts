// What an operator sees of a running Cove: metrics, traces and logs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerWith, newCaller, ownCove } from "../support/caller.ts";
import { readMetrics, readSample } from "../support/metrics.ts";
import { startModelServer } from "../support/model-server.ts";
import { addToken } from "../support/people.ts";
import { type Span, startTraceCollector } from "../support/trace-collector.ts";
import { newWebPerson, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
const collector = await startTraceCollector();
const own = ownCove({
  OPENAI_BASE_URL: model.openai,
  OPENAI_API_KEY: model.key,
  COVE_MODEL: "local/bash",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: "200",
});
let ada: WebPerson;
let admin: Caller;

beforeAll(async () => {
  // The first account is the administrator's.
  ada = await newWebPerson(own.cove);
  admin = callerWith(own.cove.url, ada.email, await addToken(own.cove.dataDir, ada.id));
});

afterAll(async () => {
  await model.close();
  await collector.close();
});

const metrics = (token: string) => readMetrics(own.cove.url, token);
const sample = (name: string) => readSample(own.cove.url, admin.token, name);

describe("metrics", () => {
  test("are an administrator's", async () => {
    const bob = await newCaller(own.cove);
    expect((await metrics(bob.token)).status).toBe(403);
    const answered = await metrics(admin.token);
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-type")).toContain("text/plain");
  });

  test("tell a call by tool, door and outcome, its stages, its request and its sandbox", async () => {
    const completed = 'cove_executions_total{tool="execute_bash",door="rest",outcome="completed"}';
    const failed = 'cove_executions_total{tool="execute_bash",door="rest",outcome="failed"}';
    const before = [await sample(completed), await sample(failed)];
    await admin.execute("execute_bash", { command: "true" });
    await admin.execute("execute_bash", { command: "false" });
    expect([await sample(completed), await sample(failed)]).toEqual(before.map((count) => count + 1));

    for (const stage of [
      "authenticate",
      "record_begin",
      "open",
      "line",
      "pipe",
      "run",
      "harvest",
      "record_end",
    ])
      expect([stage, await sample(`cove_stage_seconds_count{stage="${stage}"}`)]).not.toEqual([stage, 0]);
    expect(
      await sample('cove_execution_seconds_count{tool="execute_bash",door="rest"}'),
    ).toBeGreaterThanOrEqual(2);
    expect(
      await sample('cove_http_requests_total{route="/execute",method="POST",status="2xx"}'),
    ).toBeGreaterThanOrEqual(2);
    expect(await sample('cove_sandbox_events_total{event="pipe_opened"}')).toBeGreaterThanOrEqual(1);
    expect(await sample('cove_sandboxes{state="active"}')).toBeGreaterThanOrEqual(1);
    expect(await sample('cove_runs{state="waiting"}')).toBe(0);
    expect(await sample('cove_database_connections{state="idle"}')).toBeGreaterThanOrEqual(1);
    expect(await sample("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  });

  test("tell what the network policy let through and refused", async () => {
    await admin.execute("execute_bash", { command: "curl -s https://example.com" });
    expect(await sample('cove_sandbox_events_total{event="egress_denied"}')).toBeGreaterThanOrEqual(1);
  });

  test("count tokens by provider", async () => {
    await ada.ask(await ada.newChat(), "echo counted");
    expect(
      await sample('cove_model_tokens_total{provider="local",direction="input"}'),
    ).toBeGreaterThanOrEqual(200);
  });

  test("have as many labels as there are routes, whatever clients send", async () => {
    for (const name of ["a", "b%2Fc", "%ff"])
      await fetch(`${own.cove.url}/skills/${name}`, { headers: { authorization: `Bearer ${admin.token}` } });
    const text = await (await metrics(admin.token)).text();
    const routes = new Set(
      [...text.matchAll(/cove_http_requests_total\{route="([^"]+)"/g)].map(([, one]) => one),
    );
    expect([...routes].filter((one) => one?.includes("skills/"))).toEqual(["/skills/[name]"]);
  });
});

describe("traces", () => {
  test("go from the request through the agent's step and tool to the pipe, without contents", async () => {
    await ada.ask(await ada.newChat(), "echo a-word-of-the-user");
    const agents = () =>
      collector.spans.filter(
        (span) =>
          span.name === "pipe" && collector.lineage(span).some(({ name }) => /invoke_agent/.test(name)),
      );
    await expect.poll(agents, { timeout: 15_000 }).not.toEqual([]);
    const path = collector.lineage(agents()[0] as Span);
    expect(path.slice(0, 3).map(({ name }) => name)).toEqual(["pipe", "run", "tool execute_bash"]);
    expect(path[2]?.attributes).toMatchObject({ "cove.tool": "execute_bash", "cove.door": "chat" });
    expect(path.at(-1)?.name).toMatch(/^POST \/api\/conversations/);
    expect(collector.raw()).not.toContain("a-word-of-the-user");
    expect(collector.raw()).not.toContain(model.key);
  });
});

describe("logs", () => {
  test("name the request, the user and the execution of what happened", async () => {
    const { body } = await admin.execute("execute_bash", { command: "exit 3" });
    const lines = own.cove
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    const call = lines.find(({ executionId }) => executionId === body.execution_id);
    expect(call).toMatchObject({ userId: ada.id, tool: "execute_bash", door: "rest", outcome: "failed" });
    const request = lines.find(({ requestId, path }) => requestId === call.requestId && path === "/execute");
    expect(request).toMatchObject({ userId: ada.id, method: "POST", status: 200 });
  });
});
