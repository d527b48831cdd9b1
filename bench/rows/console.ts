// What a person at the console feels: from the key to the result on the screen, in Chromium, on the production server.
import { randomUUID } from "node:crypto";
import { chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { startCove } from "../../tests/support/cove.ts";
import { addPerson } from "../../tests/support/people.ts";
import { spread } from "../measure.ts";
import type { Row } from "../row.ts";

const CODE = "Code of cell 1";

export const consoleCell: Row = {
  name: "console",
  what: "a cell in the console, from the key to the result on the screen, nine of ten",
  bar: { atMost: 100 },
  unit: "ms",
  async measure({ samples }) {
    const cove = await startCove({ COVE_WARM_POOL: "1" });
    const browser = await chromium.launch(config.use?.launchOptions);
    try {
      const page = await browser.newPage({ baseURL: cove.url });
      await openConsole(page, cove.dataDir);
      // The first starts the sandbox and its session.
      for (let round = 0; round < 5; round++) await fromKeyToScreen(page, round);
      const times: number[] = [];
      for (let round = 0; round < samples; round++) times.push(await fromKeyToScreen(page, 100 + round));
      const screen = spread(times);
      return { value: screen.p90, ms: screen, details: { screen } };
    } finally {
      await browser.close();
      await cove.stop();
    }
  },
};

async function openConsole(page: Page, dataDir: string): Promise<void> {
  const person = { name: "Ada", email: `ada-${randomUUID()}@example.com`, password: `pw-${randomUUID()}` };
  await addPerson(dataDir, person);
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const { email, password } = person;
  await page.request.post("/api/auth/callback/credentials", { form: { csrfToken, email, password } });
  await page.goto("/console");
  await page.locator("[data-testid=console][data-ready]").waitFor();
}

/** Milliseconds by the page's own clock, to the frame that shows a result no cell had before. */
async function fromKeyToScreen(page: Page, round: number): Promise<number> {
  const editor = page.getByRole("textbox", { name: CODE });
  const result = String(1_000_003 * (round + 1));
  await editor.fill(`1_000_003 * ${round + 1}`);
  const shown = page.evaluate(untilShown, result);
  await editor.press("Control+Enter");
  return shown;
}

function untilShown(text: string): Promise<number> {
  return new Promise((resolve) => {
    let pressed = 0;
    const press = (event: KeyboardEvent) => {
      if (event.key === "Enter") pressed = performance.now();
    };
    window.addEventListener("keydown", press, { capture: true });
    const observer = new MutationObserver(() => {
      const outputs = [...document.querySelectorAll('section[aria-label^="Output of"]')];
      if (!outputs.some((output) => output.textContent?.includes(text))) return;
      observer.disconnect();
      window.removeEventListener("keydown", press, { capture: true });
      requestAnimationFrame(() => resolve(performance.now() - pressed));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
