// What the journeys through gallery and viewer have in common.
import type { APIRequestContext, Page } from "@playwright/test";
import { expect as soon } from "./fixtures.ts";

// The first run of a person starts a container.
export const expect = soon.configure({ timeout: 60_000 });

export async function openArtifact(page: Page, name: string): Promise<void> {
  await page.goto("/artifacts");
  await card(page, name).getByRole("link").click();
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Share" })).toBeEnabled();
}

export function card(page: Page, name: string) {
  return page
    .getByRole("list", { name: "Artifacts" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("checkbox", { name: `Select ${name}`, exact: true }) });
}

export function runner(request: APIRequestContext, token: string): (command: string) => Promise<string> {
  return async (command) =>
    (await execute(request, token, "execute_bash", { command, timeout: 60 })).stdout ?? "";
}

export async function execute(
  request: APIRequestContext,
  token: string,
  name: string,
  args: object,
): Promise<Record<string, string>> {
  const answer = await request.post("/execute", {
    headers: { authorization: `Bearer ${token}` },
    data: { name, arguments: args },
    timeout: 90_000,
  });
  return answer.json();
}
