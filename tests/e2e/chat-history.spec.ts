import { readFile } from "node:fs/promises";
import { answerEnds, atConversation, connectModel, newChat, PATIENCE, say } from "./chat-steps.ts";
import { expect, signIn, test } from "./fixtures.ts";

test("conversations are found, renamed, exported, deleted and brought back", async ({ page, person }) => {
  test.setTimeout(90_000);
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  await say(page, "the secret word is abracadabra");
  const first = await atConversation(page);
  await answerEnds(page);
  await page.getByRole("link", { name: "New conversation" }).click();
  await page.waitForURL("**/chat");
  await say(page, "something else entirely");
  await page.waitForURL((url) => /\/chat\/[0-9a-f-]{36}$/.test(url.pathname) && url.href !== first, PATIENCE);
  await answerEnds(page);

  const list = page.getByRole("region", { name: "Conversations" });
  await expect(list.getByRole("heading", { name: "Today" })).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(2);

  // ⌘K finds by contents, and the keyboard opens what it found.
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("combobox", { name: "Search conversations" });
  await search.fill("abracadabra");
  await expect(page.getByRole("option")).toHaveCount(1, PATIENCE);
  await expect(page.getByRole("option")).toContainText("abracadabra");
  await search.press("Enter");
  await page.waitForURL(first);
  await expect(page.getByText("You said: the secret word is abracadabra")).toBeVisible(PATIENCE);

  await page.getByRole("button", { name: "Options for this conversation" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("Title").fill("Magic words");
  await page.getByLabel("Title").press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Magic words" })).toBeVisible();
  await expect(list.getByRole("link", { name: "Magic words" })).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Options for this conversation" }).click();
  await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
  const exported = await readFile(await (await download).path(), "utf8");
  expect(exported).toContain("Magic words");
  expect(exported).toContain("You said: the secret word is abracadabra");

  await list.getByRole("link", { name: "Magic words" }).hover();
  await list.getByRole("button", { name: "Options for Magic words" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.waitForURL("**/chat");
  await expect(list.getByRole("link", { name: "Magic words" })).toHaveCount(0);
  expect((await page.request.get(first)).status()).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(first);
  await expect(page.getByText("You said: the secret word is abracadabra")).toBeVisible(PATIENCE);
  await expect(list.getByRole("link", { name: "Magic words" })).toBeVisible();
});

test("somebody else's conversation is nowhere to be found", async ({ page, browser, cove, person }) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  await say(page, "mine alone");
  const address = await atConversation(page);
  await answerEnds(page);

  const stranger = await browser.newPage({ baseURL: cove.url });
  expect((await stranger.goto(address))?.url()).toContain("/sign-in");
  await stranger.close();
});

test("a phone can do all of it", async ({ page, person }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  await say(page, `a very long word: ${"x".repeat(300)}`);
  await atConversation(page);
  await answerEnds(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Open navigation" }).click();
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  await expect(drawer.getByRole("region", { name: "Conversations" }).getByRole("listitem")).toHaveCount(1);
  await drawer.getByRole("link", { name: "New conversation" }).click();
  await page.waitForURL("**/chat");
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
});
