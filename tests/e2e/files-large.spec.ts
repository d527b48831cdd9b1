// Much of everything in the live workspace: entries, bytes, files at once.
import { addToken } from "../support/people.ts";
import { act, expect, open, shell } from "./files-steps.ts";
import { openAs, signIn, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

test("a folder of many thousand entries scrolls, and stays up to date however much of it is loaded", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run("mkdir many && cd many && seq -f 'entry-%05g' 1 5500 | xargs touch");
  await signIn(page, person);
  await open(page, "/files?path=many");
  await expect(page.getByRole("link", { name: "entry-00001" })).toBeVisible();
  expect(await page.getByRole("row").count()).toBeLessThan(200);
  const last = page.getByRole("link", { name: "entry-05500" });
  await expect(async () => {
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, 60_000);
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });

  await act(page, "entry-05500", "Rename…");
  await page.getByLabel("Name", { exact: true }).fill("renamed-by-hand");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("link", { name: "renamed-by-hand" })).toBeVisible();
  await expect(last).toHaveCount(0);
  await run("mv many/entry-05499 many/renamed-by-code");
  await expect(page.getByRole("link", { name: "renamed-by-code" })).toBeVisible();
});

test("a full workspace says so, and takes files again once there is room", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await openAs(page, person);
  await run("head -c 200M /dev/zero > fill; true");
  await open(page, "/files");
  await page
    .getByLabel("Files to upload")
    .setInputFiles([
      { name: "one-more.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(2 ** 20, 1) },
    ]);
  await expect(page.getByText(/not enough room|disk is full/)).toBeVisible();
  // A disk of its own is full at once; a soft quota is noticed within moments.
  const refused = async () => {
    const answer = await page.request.put("/api/files/content?path=two-more.bin&replace=yes", {
      data: Buffer.alloc(2 ** 20, 1),
      headers: { "content-type": "application/octet-stream" },
    });
    return answer.ok() ? "taken" : `${answer.status()} ${(await answer.json()).error.message}`;
  };
  await expect
    .poll(refused)
    .toMatch(/^409 .*(the disk is full: remove something and try again|holds more than its 64 MB: delete)/);
  expect(await run("ls one-more.bin; rm -f fill two-more.bin; echo room > again && cat again")).toBe(
    "room\n",
  );
});

test("an upload can be cancelled, and leaves nothing behind", async ({ page, person, cove, request }) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await signIn(page, person);
  await open(page, "/files");
  // The connection is slowed down so that there is something to cancel.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 0, downloadThroughput: -1 },
    uploadThroughput: 200_000,
  });
  await page
    .getByLabel("Files to upload")
    .setInputFiles([
      { name: "large.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(20 * 2 ** 20, 7) },
    ]);
  await expect(page.getByRole("progressbar", { name: "Upload of large.bin" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel large.bin" }).click();
  await expect(page.getByLabel("Cancelled")).toBeVisible();
  await expect.poll(() => run("ls -A | grep -v outputs")).toBe("");
});
