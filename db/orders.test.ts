import { expect, onTestFinished, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { administer } from "#tests/support/postgres.ts";
import { giveOrder, listenForOrders } from "./orders.ts";

const own = ownDatabase();

function server(carryOut: (order: unknown) => Promise<void>) {
  const listening = listenForOrders(own.url, carryOut);
  onTestFinished(() => listening.close());
}

/** A server that has just started doesn't hear at once. */
async function insist(order: object): Promise<void> {
  await expect
    .poll(() => giveOrder(own.url, order, 2_000).then(() => "done", String), { timeout: 15_000 })
    .toBe("done");
}

test("an order reaches the server, and its end whoever gave it", async () => {
  const heard: unknown[] = [];
  server(async (order) => void heard.push(order));
  await insist({ verb: "stop", userId: "ada" });
  expect(heard.at(-1)).toEqual({ verb: "stop", userId: "ada" });
});

test("what the server refuses comes back as its sentence", async () => {
  server(async () => {
    throw new Error("There is no such sandbox.");
  });
  await expect
    .poll(() => giveOrder(own.url, {}, 2_000).catch((error) => error.message), { timeout: 15_000 })
    .toBe("There is no such sandbox.");
});

test("without a server there is an end to waiting", async () => {
  await expect(giveOrder(own.url, {}, 100)).rejects.toThrow("did not answer in time");
});

test("a server whose connection broke listens again", async () => {
  server(async () => undefined);
  await insist({});
  await administer(
    own.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen cove_orders' and datname = current_database()",
  );
  await insist({});
});
