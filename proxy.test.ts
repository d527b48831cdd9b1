// The matcher is a constant that Next reads without running it; here it is held to the table of the doors.
import { expect, test } from "vitest";
import { DOORS } from "./app/doors.ts";
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
