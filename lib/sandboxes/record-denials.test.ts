import { expect, test } from "vitest";
import { listDeniedHosts } from "#db/queries/egress.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { recordDenial, writeDenials } from "./record-denials.ts";

ownDatabase();

test("a flood of denials is a few rows, whatever names it chooses", async () => {
  const { id } = await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" });
  const denial = { port: 443, reason: "host_not_allowed" };
  for (let n = 0; n < 500; n++) recordDenial(id, { ...denial, host: "example.com" });
  recordDenial(id, { ...denial, host: `\0\u001b[31m\ud800${"x".repeat(1000)}` });
  for (let n = 0; n < 5000; n++) recordDenial(id, { ...denial, host: `${n}.example` });
  await writeDenials();
  const rows = await listDeniedHosts(db(), "2020-01-01", 10_000);
  expect(rows).toHaveLength(1000);
  expect(rows[0]).toMatchObject({ host: "example.com", count: 500, people: 1 });
  expect(rows.find(({ host }) => host.includes("[31m"))?.host).toMatch(/^\ufffd\ufffd\[31m\ufffdx+$/);
});
