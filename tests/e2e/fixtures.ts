// What every journey needs: the running Cove's address, fresh people, and the command line.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { test as base, type Page } from "@playwright/test";
import { cleanEnv, root } from "../support/cove.ts";
import { addPerson } from "../support/people.ts";
import { somewhere } from "../support/session-cookie.ts";

export { expect } from "@playwright/test";

export interface Person {
  name: string;
  email: string;
  password: string;
}

interface Fixtures {
  cove: { url: string; dataDir: string; cli(...args: string[]): Promise<string> };
  /** Somebody with an account. */
  person: Person & { id: string };
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its pattern.
  cove: async ({}, use) => {
    await use({
      url: process.env.COVE_E2E_URL ?? "",
      dataDir: process.env.COVE_E2E_DATA_DIR ?? "",
      cli,
    });
  },
  baseURL: async ({ cove }, use) => use(cove.url),
  person: async ({ cove }, use) => {
    const person = somebody();
    const id = await addPerson(cove.dataDir, person);
    await use({ ...person, id });
  },
});

export function somebody(): Person {
  return { name: "Ada Lovelace", email: `ada-${randomUUID()}@example.com`, password: `pw-${randomUUID()}` };
}

/** Signs in without the form, which has journeys of its own, and opens a page. */
export async function openAs(page: Page, person: Person, place = "/chat"): Promise<void> {
  await signIn(page, person);
  await page.goto(place);
}

/** The same before any page is open. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  await page.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password },
    headers: { "x-forwarded-for": somewhere() },
  });
}

async function cli(...args: string[]): Promise<string> {
  const env = cleanEnv({ COVE_DATA_DIR: process.env.COVE_E2E_DATA_DIR });
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], {
    cwd: root,
    env,
  });
  return stdout.trim();
}
