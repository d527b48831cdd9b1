import { readFile } from "node:fs/promises";
import { longConversation } from "../support/long-conversation.ts";
import {
  answer,
  answerEnds,
  atConversation,
  connectModel,
  expect,
  JOURNEY,
  newChat,
  say,
} from "./chat-steps.ts";
import { openAs, signIn, test } from "./fixtures.ts";

test.describe.configure(JOURNEY);

test("conversations are found, renamed, exported, deleted and brought back", async ({ page, person }) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  await say(page, "the secret word is abracadabra");
  const first = await atConversation(page);
  await answerEnds(page);
  await page.getByRole("link", { name: "New conversation" }).click();
  await expect(page).toHaveURL(/\/chat$/);
  await say(page, "something else entirely");
  await expect(page).toHaveURL((url) => /\/chat\/[0-9a-f-]{36}$/.test(url.pathname) && url.href !== first);
  await answerEnds(page);

  const list = page.getByRole("region", { name: "Conversations" });
  await expect(list.getByRole("heading", { name: "Today" })).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(2);

  // ⌘K finds by contents, and the keyboard opens what it found.
  await page.keyboard.press("ControlOrMeta+k");
  const search = page.getByRole("combobox", { name: "Search conversations" });
  await search.fill("abracadabra");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText("abracadabra");
  await search.press("Enter");
  await expect(page).toHaveURL(first);
  await expect(answer(page)).toContainText("You said: the secret word is abracadabra");

  await page.getByRole("button", { name: "Options for this conversation" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Magic words");
  // The page shows a new title before the server has it; what is exported is what the server has.
  const renamed = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Magic words" })).toBeVisible();
  expect((await renamed).ok()).toBe(true);
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
  await expect(list.getByRole("link", { name: "Magic words" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveURL(first);
  await expect(answer(page)).toContainText("You said: the secret word is abracadabra");
  await expect(list.getByRole("link", { name: "Magic words" })).toBeVisible();
});

test("a conversation of five hundred messages opens at once and scrolls to its beginning", async ({
  page,
  person,
  cove,
}) => {
  const [long, short] = [500, 30].map((count) => longConversation(cove.dataDir, person.id, count));
  await openAs(page, person);
  const opens = async (id: string | undefined, count: number) => {
    const started = Date.now();
    await page.goto(`/chat/${id}`, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { name: `Answer number ${count - 1}` })).toBeInViewport();
    return Date.now() - started;
  };
  // Within a second; or, on a machine that is busy with ten other things, as fast as any conversation.
  await expect(async () => {
    const usual = await opens(await short, 30);
    expect(await opens(await long, 500)).toBeLessThan(Math.max(1000, usual * 1.25));
  }).toPass({ timeout: 120_000 });

  // How long each picture stands until the next: while nothing happens, and while one scrolls as fast as a wheel turns.
  const scroller = page.locator("[data-scroller]");
  const late = (by: number, frames: number) =>
    scroller.evaluate(
      async (scroller, { by, frames }) => {
        const stood: number[] = [];
        for (let before = performance.now(); stood.length < frames; before = performance.now()) {
          scroller.scrollBy({ top: -by });
          await new Promise(requestAnimationFrame);
          stood.push(performance.now() - before);
        }
        return stood.toSorted((a, b) => a - b)[Math.floor(frames * 0.95)] ?? 0;
      },
      { by, frames },
    );
  const still = await late(0, 100);
  expect(await late(100, 600)).toBeLessThan(Math.max(100, still * 4));

  await scroller.evaluate(async (scroller) => {
    while (scroller.querySelector("button")?.textContent === "Show earlier messages") {
      scroller.scrollTo({ top: 0 });
      await new Promise(requestAnimationFrame);
    }
    scroller.scrollTo({ top: 0 });
  });
  await expect(page.getByText("Question number 0:")).toBeInViewport();
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
  await expect(page).toHaveURL(/\/chat$/);
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
});
