// What people do in a chat, in one line each.
import type { Locator, Page } from "@playwright/test";
import { expect as impatient } from "./fixtures.ts";

// A sandbox starts, Python imports a plotting library, on a machine that does ten other things.
export const expect = impatient.configure({ timeout: 60_000 });
export const JOURNEY = { timeout: 180_000 };

/** Gives the signed-in person the scripted model, the way the settings page does. */
export async function connectModel(page: Page): Promise<void> {
  const data = { key: process.env.COVE_E2E_MODEL_KEY, baseUrl: process.env.COVE_E2E_MODEL_URL };
  const answer = await page.request.put("/api/model-keys/local", { data });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** A fresh chat with one of the scripted models. */
export async function newChat(page: Page, model: string): Promise<void> {
  await page.goto("/chat");
  await page.getByLabel("Model", { exact: true }).selectOption({ label: model });
}

export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(text);
  await field.press("Enter");
}

/** The conversation's own address, once its first message is sent. */
export async function atConversation(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  return page.url();
}

/** The last answer. What is read out to screen readers has the same words, so look here. */
export function answer(page: Page): Locator {
  return page.getByRole("article", { name: "Cove" }).last();
}

export async function answerEnds(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Answer again" })).toBeVisible();
}
