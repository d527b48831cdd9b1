// What real code made, in the gallery and the viewer. Some of that code is hostile.
import { readFile } from "node:fs/promises";
import type { APIRequestContext, Page } from "@playwright/test";
import { addToken } from "../support/people.ts";
import { signIn, expect as soon, test } from "./fixtures.ts";

test.describe.configure({ timeout: 120_000 });

// The first run of a person starts a container.
const expect = soon.configure({ timeout: 30_000 });

test("what code makes is in the gallery, to be searched, narrowed, sorted, packed and deleted", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run(
    "printf 'city,people\\nRome,3\\nOslo,1\\n' > cities.csv; echo '# Title' > notes.md; echo 'print(1)' > main.py",
  );
  await signIn(page, person);
  await page.goto("/artifacts");
  const gallery = page.getByRole("list", { name: "Artifacts" });
  await expect(gallery.getByRole("listitem")).toHaveCount(3);
  await expect(card(page, "cities.csv").getByText("Oslo")).toBeVisible();

  await page.getByRole("searchbox", { name: "Search by name" }).fill("CIT");
  await expect(gallery.getByRole("listitem")).toHaveCount(1);
  expect(new URL(page.url()).searchParams.get("q")).toBe("CIT");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(gallery.getByRole("listitem")).toHaveCount(3);

  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Tables" }).click();
  await expect(gallery.getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(gallery.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Audio" }).click();
  await expect(page.getByText("No artifact matches these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Show everything" }).click();
  await expect(gallery.getByRole("listitem")).toHaveCount(3);

  await page.getByRole("combobox", { name: "Order" }).click();
  await page.getByRole("option", { name: "By name" }).click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(gallery.getByRole("listitem").first()).toContainText("cities.csv");

  await page.getByRole("checkbox", { name: "Select cities.csv" }).check();
  await page.getByRole("checkbox", { name: "Select notes.md" }).check();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download zip" }).click();
  const zip = await readFile(await (await download).path());
  expect([zip.includes("cities.csv"), zip.includes("notes.md"), zip.includes("main.py")]).toEqual([
    true,
    true,
    false,
  ]);
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(gallery.getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(gallery.getByRole("listitem")).toHaveCount(1);
  expect(await run("ls cities.csv notes.md")).toBe("cities.csv\nnotes.md\n");
});

test("each kind has its view", async ({ page, person, cove, request }) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run(`python3 - <<'PY'
import json, struct, zlib
def chunk(tag, data): return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
rows = b"".join(b"\\0" + b"\\x10\\x60\\x50" * 40 for _ in range(30))
open("picture.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
open("table.tsv", "w").write("name\\tvalue\\nten\\t10\\ntwo\\t2\\n")
open("words.md", "w").write("# A heading\\n\\n**bold** and ![x](https://tracker.example/a.png)\\n")
open("data.json", "w").write(json.dumps({"outer": {"inner": "deep down"}}))
open("book.ipynb", "w").write(json.dumps({"cells": [{"cell_type": "markdown", "source": "## Chapter"},
    {"cell_type": "code", "source": "6 * 7", "execution_count": 1, "outputs": [{"output_type": "execute_result", "data": {"text/plain": "42"}}]}]}))
open("raw.bin", "wb").write(bytes(range(256)))
PY`);
  await signIn(page, person);

  await openArtifact(page, "picture.png");
  await expect(page.getByText("40 × 30")).toBeVisible();
  await page.getByRole("button", { name: "Larger" }).click();
  await expect(page.getByRole("img", { name: "picture.png" })).toHaveCSS("width", "60px");

  await openArtifact(page, "table.tsv");
  const names = () =>
    page
      .getByRole("cell")
      .filter({ hasText: /^(ten|two)$/ })
      .allTextContents();
  expect(await names()).toEqual(["ten", "two"]);
  await page.getByRole("button", { name: "value" }).click();
  await expect.poll(names).toEqual(["two", "ten"]);

  await openArtifact(page, "words.md");
  await expect(page.getByRole("heading", { name: "A heading" })).toBeVisible();

  await openArtifact(page, "data.json");
  await page.getByRole("button", { name: /^outer:/ }).click();
  await expect(page.getByText('"deep down"', { exact: true })).toBeVisible();

  await openArtifact(page, "book.ipynb");
  await expect(page.getByRole("heading", { name: "Chapter" })).toBeVisible();
  await expect(page.getByText("42", { exact: true })).toBeVisible();

  await openArtifact(page, "raw.bin");
  await expect(page.getByRole("heading", { name: "No preview for this type" })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).first().click();
  expect((await readFile(await (await download).path())).length).toBe(256);
});

test("versions are compared, the code is at hand, and it runs again", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run("printf 'same\\nold line\\n' > report.txt");
  await run("printf 'same\\nnew line\\n' > report.txt");
  await signIn(page, person);
  await openArtifact(page, "report.txt");
  const provenance = page.getByRole("region", { name: "Where it comes from" });
  await expect(provenance.getByText("REST")).toBeVisible();
  await expect(provenance.getByText("printf 'same\\nnew line\\n' > report.txt")).toBeVisible();
  await page.getByRole("link", { name: "Compare with version 1" }).click();
  const differences = page.getByRole("region", { name: "Differences" });
  await expect(differences.getByRole("deletion")).toHaveText("-old line");
  await expect(differences.getByRole("insertion")).toHaveText("+new line");

  await expect(page.getByRole("link", { name: "Continue in chat" })).toHaveAttribute(
    "href",
    `/chat?draft=${encodeURIComponent("Have a look at /workspace/report.txt and ")}`,
  );
  await run("rm report.txt");
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL("**/history/*", { timeout: 60_000 });
  await expect.poll(() => run("cat report.txt")).toBe("same\nnew line\n");
});

test("a shared link opens without an account, until it is revoked", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run("echo shared > shared.txt");
  await signIn(page, person);
  await openArtifact(page, "shared.txt");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).textContent();
  const { pathname, search } = new URL(link ?? "");
  const opened = await request.get(cove.url + pathname + search);
  expect([opened.status(), await opened.text()]).toEqual([200, "shared\n"]);
  await page.getByRole("button", { name: "Revoke all links" }).click();
  await expect(page.getByText("Every link to this artifact has stopped working.")).toBeVisible();
  expect((await request.get(cove.url + pathname + search)).status()).toBe(404);
});

test("a page that code made runs without cookies, network or an origin of ours; a drawing runs nothing", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  const attack = `
    const told = [];
    const note = (what, value) => { told.push(what + "=" + value); document.title = told.join(" "); document.getElementById("told").textContent = told.join(" "); };
    try { note("cookie", document.cookie || "none"); } catch (error) { note("cookie", "refused"); }
    try { note("storage", String(localStorage.length)); } catch (error) { note("storage", "refused"); }
    try { note("parent", parent.document.title); } catch (error) { note("parent", "refused"); }
    fetch("${cove.url}/api/files").then(() => note("fetch", "answered"), () => note("fetch", "refused"));
    const image = new Image(); image.onload = image.onerror = ({ type }) => note("image", type); image.src = "${cove.url}/icon.svg";
    try { open("${cove.url}/chat") ? note("popup", "opened") : note("popup", "refused"); } catch (error) { note("popup", "refused"); }
    try { top.location = "${cove.url}/settings"; note("top", "asked"); } catch (error) { note("top", "refused"); }`;
  await run(`cat > hostile.html <<'HTML'
<!doctype html><p id="told">nothing yet</p><script>${attack}</script>
HTML
cat > hostile.svg <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10"><rect width="10" height="10"/><script>top.hacked = 1; fetch("/api/files")</script></svg>
SVG`);
  await signIn(page, person);
  const asked: string[] = [];
  await openArtifact(page, "hostile.html");
  page.on("request", (one) => {
    if (/\/api\/files$|\/icon\.svg$|\/settings$/.test(one.url()) && one.isNavigationRequest())
      asked.push(one.url());
  });
  const told = page.frameLocator('iframe[title="hostile.html"]').locator("#told");
  await expect(told).toContainText("fetch=refused");
  await expect(told).toContainText("image=error");
  await expect(told).toContainText(/cookie=(none|refused)/);
  await expect(told).toContainText("storage=refused");
  await expect(told).toContainText("parent=refused");
  await expect(told).toContainText("popup=refused");
  await expect(page.getByRole("heading", { name: "hostile.html" })).toBeVisible();
  expect(asked).toEqual([]);

  // Opened by itself, at either address, it is as still as a picture.
  const frame = await page.locator('iframe[title="hostile.html"]').getAttribute("src");
  for (const address of [frame ?? "", (frame ?? "").replace(/\/preview$/, "")]) {
    await page.goto(address);
    await expect(page.locator("#told")).toHaveText("nothing yet");
  }

  await openArtifact(page, "hostile.svg");
  await expect(page.getByText("10 × 10")).toBeVisible();
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
});

async function openArtifact(page: Page, name: string): Promise<void> {
  await page.goto("/artifacts");
  await card(page, name).getByRole("link").click();
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Share" })).toBeEnabled();
}

function card(page: Page, name: string) {
  return page
    .getByRole("list", { name: "Artifacts" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("checkbox", { name: `Select ${name}`, exact: true }) });
}

function runner(request: APIRequestContext, token: string): (command: string) => Promise<string> {
  return async (command) => {
    const answer = await request.post("/execute", {
      headers: { authorization: `Bearer ${token}` },
      data: { name: "execute_bash", arguments: { command, timeout: 60 } },
      timeout: 90_000,
    });
    return (await answer.json()).stdout;
  };
}
