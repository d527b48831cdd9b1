// What the journeys through the workspace have in common.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect as soon } from "./fixtures.ts";

// A workspace that is opened for the first time is a container that starts.
export const expect = soon.configure({ timeout: 60_000 });

/** Opens a page of files and waits until it is alive. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("meter", { name: "Disk use" }).first()).toBeAttached({ timeout: 60_000 });
}

export async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

export async function shell(
  request: APIRequestContext,
  token: string,
): Promise<(command: string) => Promise<string>> {
  return async (command) => {
    const answer = await request.post("/execute", {
      headers: { authorization: `Bearer ${token}` },
      data: { name: "execute_bash", arguments: { command, timeout: 60 } },
      timeout: 90_000,
    });
    return (await answer.json()).stdout;
  };
}
