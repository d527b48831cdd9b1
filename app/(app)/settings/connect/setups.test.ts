import { expect, test } from "vitest";
import { setups } from "./setups.ts";

test("every set-up has the address and the token in it, and what is JSON is JSON", () => {
  for (const { name, text } of setups("https://cove.example", "cove_secret")) {
    expect(text, name).toContain("https://cove.example/");
    expect(text, name).toContain("cove_secret");
    if (text.startsWith("{")) expect(() => JSON.parse(text)).not.toThrow();
  }
});

test("without a token it says where one belongs", () => {
  for (const { text } of setups("http://localhost:3000")) expect(text).toContain("YOUR_TOKEN");
});

test("an address in the local network is allowed to have no https", () => {
  const desktop = (address: string) => setups(address).find(({ id }) => id === "claude-desktop")?.text;
  expect(desktop("http://192.168.1.5:3000")).toContain("--allow-http");
  expect(desktop("http://localhost:3000")).not.toContain("--allow-http");
  expect(desktop("https://cove.example")).not.toContain("--allow-http");
});
