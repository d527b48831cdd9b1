import { expect, test } from "vitest";
import { denialLog } from "../egress/denial-log.ts";
import { deniedHosts } from "./denied-hosts.ts";

const denial = (host: string) => ({ host, port: 443, reason: "host_not_allowed" as const, message: "No." });

test("an execution gets what was denied since it began, once each, however often it is asked about", async () => {
  const log = denialLog();
  const during = deniedHosts((sinceMs) => log.since("ann", sinceMs));
  log.add("ann", denial("before.example"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  during("first");
  log.add("bob", denial("bob.example"));
  log.add("ann", denial("one.example"));
  log.add("ann", denial("one.example"));
  log.add("ann", denial("two.example"));
  expect(during("first")()).toEqual([denial("one.example"), denial("two.example")]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(during("second")()).toEqual([]);
  expect(during("first")()).toHaveLength(2);
});
