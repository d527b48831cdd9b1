// What real code made, opened: each kind in its view, and none of it with an origin of ours.
import { readFile } from "node:fs/promises";
import { addToken } from "../support/people.ts";
import { execute, expect, openArtifact, runner } from "./artifact-steps.ts";
import { openAs, signIn, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

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

test("documents, sound, films and code are shown by what shows them best", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await openAs(page, person);
  // A real film needs a real encoder, and the browser has one. What is uploaded is no artifact until code makes it one.
  const film = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: "video/webm" });
    const part = new Promise<Blob>((resolve) => {
      recorder.ondataavailable = ({ data }) => resolve(data);
    });
    recorder.start();
    const drawing = setInterval(() => canvas.getContext("2d")?.fillRect(0, 0, Math.random() * 99, 10), 50);
    setTimeout(() => recorder.stop(), 1000);
    const bytes = [...new Uint8Array(await (await part).arrayBuffer())];
    clearInterval(drawing);
    return bytes;
  });
  const sent = await page.request.put("/api/files/content?path=.film", { data: Buffer.from(film) });
  expect(sent.status()).toBe(200);
  await run(`mv .film film.webm; printf 'def answer():\\n    return 42\\n' > code.py; python3 - <<'PY'
import wave
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.savefig("paper.pdf")
with wave.open("tone.wav", "wb") as sound:
    sound.setnchannels(1); sound.setsampwidth(2); sound.setframerate(8000); sound.writeframes(b"\\0" * 16000)
PY`);

  await openArtifact(page, "film.webm");
  const video = page.locator("video");
  await expect.poll(() => video.evaluate(({ videoWidth }: HTMLVideoElement) => videoWidth)).toBe(300);
  await openArtifact(page, "tone.wav");
  const audio = page.locator("audio");
  await expect.poll(() => audio.evaluate(({ duration }: HTMLAudioElement) => duration)).toBe(1);

  await openArtifact(page, "paper.pdf");
  const src = await page.locator('iframe[title="paper.pdf"]').getAttribute("src");
  const pdf = await page.request.get(src ?? "");
  expect([pdf.headers()["content-type"], (await pdf.body()).subarray(0, 4).toString()]).toEqual([
    "application/pdf",
    "%PDF",
  ]);

  await openArtifact(page, "code.py");
  const word = page.getByRole("article").locator("code span[style]", { hasText: "def" }).first();
  await expect(word).toHaveCSS("color", /^rgb/);
});

test("what is longer than a page is still all there: tables, JSON, and what a cell showed", async ({
  page,
  person,
  cove,
  request,
}) => {
  const token = await addToken(cove.dataDir, person.id);
  const run = runner(request, token);
  await run(`python3 - <<'PY'
import json
with open("long.csv", "w") as table:
    table.write("number,name\\n")
    for n in range(100000): table.write(f"{n},the name of {n}\\n")
json.dump({"start": "x" * 2000000, "end": {"found": True}}, open("long.json", "w"))
PY`);
  await signIn(page, person);
  await openArtifact(page, "long.csv");
  await expect(page.getByText("100,000 rows, 2 columns")).toBeVisible();
  await page.getByRole("button", { name: "number" }).click();
  await page.getByRole("button", { name: "number" }).click();
  await expect(page.getByRole("cell", { name: "the name of 99999" })).toBeVisible();
  await openArtifact(page, "long.json");
  await page.getByRole("button", { name: /^end:/ }).click();
  await expect(page.getByText("found:")).toBeVisible();

  const code = `import pandas as pd
pd.set_option("display.max_rows", None)
pd.DataFrame({"n": range(3000), "what": ["the row of %d" % n for n in range(3000)]})`;
  const { execution_id } = await execute(request, token, "execute_python", { code, timeout: 60 });
  await page.goto(`/history/${execution_id}`);
  await expect(page.getByRole("cell", { name: "the row of 7", exact: true })).toBeVisible();
  await expect(page.getByText("2,500 more rows are not shown.")).toBeVisible();
  await page.getByRole("link", { name: "Open all of it" }).click();
  await expect(page.getByRole("heading", { name: "table-1.html" })).toBeVisible();
  await expect(page.getByText("3,000 rows, 3 columns")).toBeVisible();
  await page.getByRole("button", { name: "Page" }).click();
  const frame = page.frameLocator('iframe[title="table-1.html"]');
  await expect(frame.getByRole("cell", { name: "the row of 2999" })).toBeAttached();
  // It is no file of the workspace, so an agent is told how to get it.
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await expect(page.getByRole("link", { name: "Continue in chat" })).toHaveAttribute(
    "href",
    `/chat?draft=${encodeURIComponent(`Have a look at table-1.html (get_artifact ${id}) and `)}`,
  );
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
