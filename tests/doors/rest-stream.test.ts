// `/execute/stream`: output as it happens, and what is never begun.
import { beforeAll, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { jsonRequest } from "../support/json-request.ts";

const own = ownCove();
let ada: Caller;

beforeAll(async () => {
  ada = await own.caller();
});

test("a stream tells output as it happens, then the result", async () => {
  const events = await stream({ command: "echo 1; sleep 0.3; echo 2 >&2; exit 1" });
  expect(events.map(([name]) => name)).toEqual(["stdout", "stderr", "result"]);
  expect(events.at(-1)?.[1]).toMatchObject({ status: "failed", exit_code: 1 });
});

test("a stream of somebody who goes away stops the run", async () => {
  const gone = new AbortController();
  const response = await open({ command: "echo $$ > pid; echo started; sleep 600" }, gone.signal);
  await response.body?.getReader().read();
  gone.abort();
  const alive = async () =>
    (await ada.execute("execute_bash", { command: "kill -0 $(cat pid)" })).body.exit_code;
  await expect.poll(alive, { timeout: 10_000 }).toBe(1);
});

test("a stream that is silent begins all the same", async () => {
  const gone = new AbortController();
  const response = await open({ command: "sleep 600" }, gone.signal);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
  ]);
  gone.abort();
});

test.each<[string, object, Record<string, string>, number]>([
  ["a tool that doesn't exist", { name: "nope" }, {}, 404],
  ["a missing argument", { name: "execute_bash" }, {}, 400],
  ["a file that isn't there", { name: "read_file", arguments: { file_path: "nowhere" } }, {}, 404],
  ["a key that is none", { name: "reset_session" }, { "idempotency-key": "with space" }, 400],
])("a stream of %s is refused with a status, not begun", async (_what, body, more, status) => {
  const { headers, ...rest } = jsonRequest(ada.token, body);
  const response = await fetch(`${own.cove.url}/execute/stream`, {
    ...rest,
    headers: { ...headers, ...more },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
});

async function stream(args: object): Promise<[string, unknown][]> {
  const text = await (await open(args)).text();
  return text
    .trim()
    .split("\n\n")
    .map((event) => {
      const [name = "", data = ""] = event.split("\n");
      return [name.replace("event: ", ""), JSON.parse(data.replace("data: ", ""))];
    });
}

function open(args: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${own.cove.url}/execute/stream`, {
    ...jsonRequest(ada.token, { name: "execute_bash", arguments: args }),
    signal,
  });
}
