// What every journey needs: the running Cove's address, fresh people, and the command line.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { test as base, type Page } from "@playwright/test";
import { cleanEnv, root } from "../support/cove.ts";

export { expect } from "@playwright/test";

export interface Person {
  name: string;
  email: string;
  password: string;
}

interface Fixtures {
  cove: { url: string; cli(...args: string[]): Promise<string> };
  /** Somebody with an account. */
  person: Person;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its pattern.
  cove: async ({}, use) => {
    await use({ url: process.env.COVE_E2E_URL ?? "", cli });
  },
  baseURL: async ({ cove }, use) => use(cove.url),
  person: async ({ cove }, use) => {
    const person = somebody();
    await cove.cli("user", "add", person.email, "--password", person.password, "--name", person.name);
    await use(person);
  },
});

export function somebody(): Person {
  return { name: "Ada Lovelace", email: `ada-${randomUUID()}@example.com`, password: `pw-${randomUUID()}` };
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/chat");
}

async function cli(...args: string[]): Promise<string> {
  const env = cleanEnv({ COVE_DATA_DIR: process.env.COVE_E2E_DATA_DIR });
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], {
    cwd: root,
    env,
  });
  return stdout.trim();
}
