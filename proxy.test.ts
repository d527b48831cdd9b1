// The matcher is a constant that Next reads without running it; here it is held to the table of the doors.
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { DOORS } from "./app/doors.ts";
import { isSentToPage } from "./front/forms.ts";
import { config } from "./proxy.ts";

const [matcher = ""] = config.matcher;

test.each(DOORS.map((door) => [door.path, "sharedWithPage" in door]))(
  "%s gets a page's policy: %s",
  (path, expected) => {
    const address = path.replaceAll(/:\w+[+*]?/g, "x");
    expect(new RegExp(`^${matcher}$`).test(address)).toBe(expected);
  },
);

test.each(["/", "/chat", "/chat/x", "/artifacts", "/artifacts/x", "/executed", "/toolset", "/skills/x/edit"])(
  "the page %s has one",
  (page) => {
    expect(new RegExp(`^${matcher}$`).test(page)).toBe(true);
  },
);

// What the proxy sees, Next holds in memory; what is large has to go past it.
test("the front takes what is sent to a page for a form, and nothing that goes to a door", () => {
  const isForm = (url: string) => isSentToPage({ url } as IncomingMessage);
  const pages = [
    "/",
    "/sign-in",
    "/sign-in?next=/api/x",
    "/api",
    "/v1",
    "/executed",
    "/execute.json",
    "/API/x",
  ];
  const odd = ["http://localhost/api/x", "//api/x", "/%61pi/x", "/_next/data/x/sign-in.json", "*"];
  expect([...pages, ...odd].filter((url) => !isForm(url))).toEqual([]);
  const doors = [
    "/execute",
    "/execute?x",
    "/execute/stream",
    "/v1/chat/completions",
    "/api/mcp",
    "/api/files/content",
  ];
  expect(doors.filter(isForm)).toEqual([]);
  for (const url of doors) expect(new RegExp(`^${matcher}$`).test(url.replace(/\?.*/, ""))).toBe(false);
});
