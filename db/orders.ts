// Orders to the server that owns the installation, through the database that both sides have. Whoever can write to it may
// give orders; nobody else can.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const ORDERS = "cove_orders";
const ANSWERS = "cove_answers";
const RETRY_MS = 1_000;

/** Carries out orders until it is closed. Whatever `carryOut` throws is told to whoever gave the order. */
export function listenForOrders(
  url: string,
  carryOut: (order: unknown) => Promise<void>,
): { close(): Promise<void> } {
  let closed = false;
  let client: pg.Client | undefined;
  void listen();
  return {
    async close() {
      closed = true;
      await client?.end();
    },
  };

  async function listen(): Promise<void> {
    while (!closed) {
      const ended = Promise.withResolvers<void>();
      try {
        client = await connect(url);
        client.once("end", () => ended.resolve());
        client.on("notification", ({ payload }) => void answer(client, payload ?? ""));
        await client.query(`listen ${ORDERS}`);
        await ended.promise;
      } catch {
        // The database is away; orders wait for it with everything else.
      }
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }

  async function answer(to: pg.Client | undefined, payload: string): Promise<void> {
    const { id, order } = JSON.parse(payload) as { id: string; order: unknown };
    const problem = await carryOut(order).then(
      () => undefined,
      (error) => (error instanceof Error ? error.message.slice(0, 1000) : "It failed."),
    );
    // Broken meanwhile: whoever waits gives up by itself.
    await to
      ?.query("select pg_notify($1, $2)", [ANSWERS, JSON.stringify({ id, problem })])
      .catch(() => undefined);
  }
}

/** Resolves once the server has carried it out; rejects with its sentence, or when nobody answers in time. */
export async function giveOrder(
  url: string,
  order: object,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const id = randomUUID();
  const answered = Promise.withResolvers<string | undefined>();
  const client = await connect(url);
  try {
    client.on("notification", ({ payload }) => {
      const answer = JSON.parse(payload ?? "{}") as { id?: string; problem?: string };
      if (answer.id === id) answered.resolve(answer.problem);
    });
    await client.query(`listen ${ANSWERS}`);
    await client.query("select pg_notify($1, $2)", [ORDERS, JSON.stringify({ id, order })]);
    const silence = sleep(patienceMs, "The server did not answer in time.", { ref: false, signal });
    const problem = await Promise.race([answered.promise, silence]);
    if (problem) throw new Error(problem);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  // Every error of a connection is followed by its end, which is what counts; unheard it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
