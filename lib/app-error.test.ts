import { createServer } from "node:http";
import { type AddressInfo, connect as connectTo } from "node:net";
import { CallbackRouteError } from "@auth/core/errors";
import { expect, test } from "vitest";
import { connect, pingDatabase } from "#db/client.ts";
import { AppError, toAppError } from "./app-error.ts";

test("our own errors pass as they are", () => {
  const error = new AppError("not_found", "There is no such token.");
  expect(toAppError(error)).toBe(error);
  expect(error.status).toBe(404);
});

test("anything else becomes an apology that keeps its cause", () => {
  const cause = new Error("cannot read properties of undefined");
  expect(toAppError(cause)).toMatchObject({ code: "internal", cause });
  expect(toAppError(cause).message).not.toContain("undefined");
});

test.each(["postgresql://cove@127.0.0.1:1/cove", "postgresql://cove@localhost/cove?host=/nowhere"])(
  "a database that is away at %s is told as such",
  async (url) => {
    const client = connect(url);
    const error = await pingDatabase(client.db).catch((thrown) => thrown);
    await client.close();
    expect(toAppError(error)).toMatchObject({ code: "unavailable", status: 503 });
  },
);

test("a database that is away while somebody signs in is told as such, too", async () => {
  const client = connect("postgresql://cove@127.0.0.1:1/cove");
  const error = await pingDatabase(client.db).catch((thrown) => thrown);
  await client.close();
  expect(toAppError(new CallbackRouteError("", { cause: { err: error } }))).toMatchObject({
    code: "unavailable",
  });
});

test("a request that its client breaks off is not taken for a database that is away", async () => {
  const server = createServer();
  const broken = new Promise<unknown>((resolve) => {
    server.on("request", async (request) => {
      connection.destroy();
      await request.toArray().catch(resolve);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connection = connectTo(port, "127.0.0.1");
  connection.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf");
  expect(toAppError(await broken)).toMatchObject({ code: "broken_off" });
  server.close();
});

test("an engine's or a model server's connection that breaks is not a database's, unless the system says which call", () => {
  expect(toAppError(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }))).toMatchObject({
    code: "internal",
  });
});

test("a file that is missing is not taken for a database that is away", async () => {
  const { readFile } = await import("node:fs/promises");
  const error = await readFile("/nowhere").catch((thrown) => thrown);
  expect(toAppError(error)).toMatchObject({ code: "internal" });
});
