import type { Browser, BrowserContext } from "@playwright/test";
import type { Resident } from "./resident.ts";

/** A browser's window in which this person is signed in. */
export async function signedIn(browser: Browser, { cove, cookie }: Resident): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: cove.url });
  const cookies = cookie.split("; ").map((one) => one.split("="));
  await context.addCookies(
    cookies.map(([name = "", value = ""]) => ({ name, value: decodeURIComponent(value), url: cove.url })),
  );
  return context;
}
