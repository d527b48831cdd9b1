// A page that code made tries every way out that a browser has, WebRTC first, while somebody
// listens on UDP and TCP. In a browser that enforces `Connection-Allowlist`, and in one that doesn't.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { type Eavesdropper, eavesdropper } from "../support/eavesdropper.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { signedIn } from "../support/signed-in.ts";
import { hostilePage, leavingPages, peerPage, styledPage } from "./hostile-page.ts";

// Nothing tells that a page will not ask for something any more: what it would do late gets this long to do it.
const LATE_MS = 1000;
const PATIENCE = { timeout: 30_000 };

const own = ownCove();
let outside: Eavesdropper;
let enforcing: Browser;
let lenient: Browser;
let ada: Resident;
let context: BrowserContext | undefined;

beforeAll(async () => {
  outside = await eavesdropper();
  ada = await newResident(own.cove);
  enforcing = await chromium.launch(CHROMIUM);
  lenient = await chromium.launch({
    ...CHROMIUM,
    args: [...CHROMIUM.args, "--disable-features=ConnectionAllowlists"],
  });
});
afterAll(async () => {
  await Promise.all([enforcing?.close(), lenient?.close()]);
  outside?.close();
});
afterEach(async () => {
  await context?.close();
  context = undefined;
  outside.heard();
});

describe("38. Pages that reach out past their policy", () => {
  test("what listens outside hears pages that nothing holds back", async () => {
    const heard: string[] = [];
    for (const text of [hostilePage(outside), styledPage(outside)]) {
      const site: Server = createServer((_, response) =>
        response.setHeader("content-type", "text/html").end(text),
      );
      await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
      const page = await enforcing.newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      await expect.poll(() => page.locator("#told").textContent(), PATIENCE).toContain("done");
      await page.close();
      site.close();
      heard.push(...outside.heard());
    }
    expect(heard.some((one) => one.startsWith("udp"))).toBe(true);
    const ways = new Set(heard.flatMap((one) => /by=([\w-]+)/.exec(one)?.[1] ?? []));
    // This browser makes no connection ahead of time, so `preconnect` and `dns-prefetch` are only tried.
    const known = [
      ...["fetch", "xhr", "beacon", "image", "script", "module", "socket", "events", "ping", "form", "popup"],
      ...[
        "worker",
        "shared",
        "frame",
        "prefetch",
        "preload",
        "speculation",
        "stylesheet",
        "import",
        "fontface",
      ],
      ...["font", "background", "list", "poster", "video", "svg", "input"],
    ];
    expect([...ways]).toEqual(expect.arrayContaining(known));
  });

  test("a page's headers hold a peer connection back where they are enforced, and only there", async () => {
    const text = peerPage(outside);
    const id = await made("peer.html", text);
    for (const browser of [enforcing, lenient]) {
      const page = await open(browser);
      // As the page was written, without our script before it.
      await page.route(/\/preview\?run$/, async (route) => {
        // Asked for again it is no frame's any more, unless that is said.
        const ours = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
        const answer = await route.fetch({ headers: { ...(await route.request().allHeaders()), ...ours } });
        await route.fulfill({ response: answer, body: text });
      });
      await page.goto(`/artifacts/${id}`);
      if (browser === lenient) await page.getByRole("button", { name: "Run this page" }).click();
      await ended(page, "peer.html");
      const heard = outside.heard();
      if (browser === enforcing) expect(heard).toEqual([]);
      else expect(heard.filter((one) => one.startsWith("udp")).length).toBeGreaterThan(0);
      await context?.close();
    }
  });

  test("a browser that enforces the allowlist runs the page at once, and no byte arrives", async () => {
    for (const [name, text] of [
      ["hostile.html", hostilePage(outside)],
      ["styled.html", styledPage(outside)],
    ] as const) {
      const page = await open(enforcing);
      await page.goto(`/artifacts/${await made(name, text)}`);
      const frame = await ended(page, name);
      expect(await page.getByRole("button", { name: "Run this page" }).count()).toBe(0);
      await expectConfined(page, frame);
      await context?.close();
    }
  });

  test("a result of a cell is such a page, in the history as elsewhere", async () => {
    const id = await displayed(hostilePage(outside));
    const page = await open(enforcing);
    await page.goto(`/history/${id}`);
    await expectConfined(page, await ended(page, "HTML result"));
  });

  test("elsewhere nothing runs and nothing arrives before a click, and the question says what it permits", async () => {
    const page = await open(lenient);
    for (const place of [
      `/artifacts/${await made("asked.html", hostilePage(outside))}`,
      `/history/${await displayed(hostilePage(outside))}`,
    ]) {
      await page.goto(place);
      await page.getByRole("button", { name: "Run this page" }).waitFor();
      await expect(page.getByText("could send whatever is in this page").count()).resolves.toBe(1);
      await expect.poll(() => page.frames().length, PATIENCE).toBe(2);
      await page.waitForTimeout(LATE_MS);
      expect(await (await innerFrame(page)).locator("#told").textContent()).toBe("nothing yet");
      expect(outside.heard()).toEqual([]);
    }
  });

  test("after the click the ways that could be taken away are gone, and what is left is known", async () => {
    const id = await made("clicked.html", `${hostilePage(outside)}<!-- clicked -->`);
    const page = await open(lenient);
    await page.goto(`/artifacts/${id}`);
    await page.getByRole("button", { name: "Run this page" }).click();
    const frame = await ended(page, "clicked.html");
    expect(await frame.evaluate(() => typeof RTCPeerConnection)).toBe("undefined");
    expect(await frame.evaluate(() => typeof Worker)).toBe("undefined");
    expect(frame.childFrames()).toEqual([]);
    // The question warns of more: names that are looked up, and what a browser other than this one lets through.
    expect(outside.heard()).toEqual([]);
  });

  test("a click counts for that content, wherever it is, and for no other", async () => {
    const text =
      "<p id=told>nothing yet</p><script>document.querySelector('p').textContent = 'done'</script>";
    const [first, twin, other] = [
      await made("first.html", text),
      await made("twin.html", text),
      await made("other.html", `${text} `),
    ];
    const page = await open(lenient);
    const button = page.getByRole("button", { name: "Run this page" });
    await page.goto(`/artifacts/${first}`);
    await button.click();
    await ended(page, "first.html");
    for (const [id, name] of [
      [first, "first.html"],
      [twin, "twin.html"],
    ]) {
      await page.goto(`/artifacts/${id}`);
      await ended(page, name as string);
      expect(await button.count()).toBe(0);
    }
    await page.goto(`/artifacts/${other}`);
    await button.waitFor();
    expect(await (await innerFrame(page)).locator("#told").textContent()).toBe("nothing yet");
    const elsewhere = await signedIn(lenient, ada);
    const stranger = await elsewhere.newPage();
    await stranger.goto(`/artifacts/${first}`);
    await stranger.getByRole("button", { name: "Run this page" }).waitFor();
    await elsewhere.close();
  });

  test("a page that leaves for another one arrives nowhere, with the allowlist and without", async () => {
    for (const [name, text] of Object.entries(leavingPages(outside))) {
      const id = await made(name, text);
      for (const browser of [enforcing, lenient]) {
        const page = await open(browser);
        await page.goto(`/artifacts/${id}`);
        if (browser === lenient) await page.getByRole("button", { name: "Run this page" }).click();
        await page.locator(`iframe[src$="?run"]`).waitFor();
        await page.waitForTimeout(LATE_MS);
        expect([name, new URL(page.url()).pathname]).toEqual([name, `/artifacts/${id}`]);
        expect([name, outside.heard()]).toEqual([name, []]);
        await context?.close();
      }
    }
  });

  test("a page that was let run leads to no other that was not", async () => {
    const still = await made("still.html", hostilePage(outside));
    const leading = `<p>leading</p><script>location = "${own.cove.url}/artifacts/${still}/still.html/preview?run"</script>`;
    const id = await made("leading.html", leading);
    const page = await open(lenient);
    await page.goto(`/artifacts/${id}`);
    await page.getByRole("button", { name: "Run this page" }).click();
    await page.locator(`iframe[src$="?run"]`).waitFor();
    await page.waitForTimeout(LATE_MS);
    expect(outside.heard()).toEqual([]);
    for (const frame of page.frames().slice(1)) {
      expect(await frame.evaluate(() => document.getElementById("told")?.textContent ?? "nothing yet")).toBe(
        "nothing yet",
      );
    }
  });

  test("a figure that wants something from elsewhere gets nothing, and runs nothing, in either browser", async () => {
    const site = `http://127.0.0.1:${outside.tcpPort}`;
    const image = {
      type: "image",
      encode: { enter: { url: { value: `${site}/?by=mark` }, width: { value: 9 } } },
    };
    const figures: Record<string, object> = {
      "far.vl.json": { data: { url: `${site}/?by=data` }, mark: "bar", encoding: { x: { field: "a" } } },
      "image.vg.json": { width: 50, height: 50, marks: [image] },
      "code.vg.json": {
        $schema: "https://vega.github.io/schema/vega/v6.json",
        usermeta: { embedOptions: { ast: false, loader: {}, patch: `${site}/?by=patch`, actions: true } },
        signals: [{ name: "s", update: `(constructor.constructor)('fetch("${site}/?by=code")')()` }],
      },
      "images.plotly.json": {
        data: [{ y: [1, 2], text: [`<img src="${site}/?by=text" onerror="1">`] }],
        layout: {
          images: [{ source: `${site}/?by=layout` }],
          title: { text: `<a href="${site}/?by=a">x</a>` },
        },
        config: { plotlyServerURL: site, topojsonURL: site },
      },
      "map.plotly.json": {
        data: [{ type: "choropleth", locations: ["DEU"], z: [1] }],
        config: { topojsonURL: site },
      },
    };
    for (const [name, figure] of Object.entries(figures)) {
      const id = await made(name, JSON.stringify(figure));
      for (const browser of [enforcing, lenient]) {
        const page = await open(browser);
        await page.goto(`/artifacts/${id}`);
        const said = page.getByText("This figure could not be drawn");
        const drawn = page.frameLocator('iframe[title="Figure"]').locator("svg").first();
        await expect
          .poll(async () => (await said.count()) + (await drawn.count()), PATIENCE)
          .toBeGreaterThan(0);
        await page.waitForTimeout(LATE_MS);
        expect([name, outside.heard()]).toEqual([name, []]);
        await context?.close();
      }
    }
  });

  test("behind a shared link nothing runs, in either browser", async () => {
    const url = (await madeArtifact("shared.html", hostilePage(outside))).url;
    for (const browser of [enforcing, lenient]) {
      const page = await browser.newPage();
      await page.goto(url);
      await page.waitForTimeout(LATE_MS);
      expect(await page.locator("#told").textContent()).toBe("nothing yet");
      await page.close();
      expect(outside.heard()).toEqual([]);
    }
  });
});

async function open(browser: Browser): Promise<Page> {
  context = await signedIn(browser, ada);
  return context.newPage();
}

/** The frame of a page that has tried everything. */
async function ended(page: Page, title: string): Promise<Frame> {
  let crashed = false;
  page.on("crash", () => {
    crashed = true;
  });
  const told = page.frameLocator(`iframe[title="${title}"][src$="?run"]`).locator("#told");
  await expect.poll(async () => crashed || (await told.textContent()), PATIENCE).toContain("done");
  expect(crashed).toBe(false);
  return innerFrame(page);
}

/** It comes a moment after the page around it. */
async function innerFrame(page: Page): Promise<Frame> {
  const find = () => page.frames().find((one) => one.url().includes("/preview"));
  await expect.poll(find, PATIENCE).toBeDefined();
  return find() as Frame;
}

async function expectConfined(page: Page, frame: Frame): Promise<void> {
  expect(frame.childFrames()).toEqual([]);
  expect(page.context().pages()).toHaveLength(1);
  expect(outside.heard()).toEqual([]);
}

async function made(name: string, text: string): Promise<string> {
  return (await madeArtifact(name, text)).id;
}

async function madeArtifact(name: string, text: string): Promise<{ id: string; url: string }> {
  await ada.execute("write_file", { file_path: `aside/${name}`, content: text });
  const { body } = await ada.execute("execute_bash", { command: `cp aside/${name} ${name}` });
  const artifact = body.artifacts.find(({ path }: { path: string }) => path === `/workspace/${name}`);
  expect(artifact).toBeDefined();
  return artifact;
}

/** Resolves to the run that showed it. */
async function displayed(html: string): Promise<string> {
  const code = `import base64\nfrom IPython.display import HTML, display\ndisplay(HTML(base64.b64decode("${Buffer.from(html).toString("base64")}").decode()))`;
  const { body } = await ada.execute("execute_python", { code, timeout: 60 });
  expect(body.status).toBe("completed");
  return body.execution_id;
}
