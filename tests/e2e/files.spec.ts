// The live workspace in a real browser, with the files that real code makes, hostile ones among them.
import { readFile } from "node:fs/promises";
import type { APIRequestContext, Page } from "@playwright/test";
import { addToken } from "../support/people.ts";
import { signIn, expect as soon, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

// A workspace that is opened for the first time is a container that starts.
const expect = soon.configure({ timeout: 60_000 });

test("an uploaded file is there for code, and what code writes turns up by itself", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await signIn(page, person);
  await open(page, "/files");
  await expect(page.getByRole("table").getByRole("link", { name: "outputs" })).toBeVisible();

  await page.getByLabel("Files to upload").setInputFiles([
    { name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") },
    { name: "Übung 1.txt", mimeType: "text/plain", buffer: Buffer.from("hallo\n") },
  ]);
  await expect(page.getByRole("link", { name: "numbers.csv" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Übung 1.txt" })).toBeVisible();
  expect(await run("cat numbers.csv 'Übung 1.txt'")).toBe("a,b\n1,2\nhallo\n");

  await run("mkdir -p results/deep && echo done > results/deep/answer.txt && echo made > by-code.txt");
  await expect(page.getByRole("link", { name: "by-code.txt" })).toBeVisible();
  await expect(page.getByRole("table").getByRole("link", { name: "results" })).toBeVisible();

  // The same name again: nothing is replaced without being asked for.
  const again = { name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from("new\n") };
  await page.getByLabel("Files to upload").setInputFiles([again]);
  await page.getByRole("button", { name: "Keep both" }).click();
  await expect(page.getByRole("link", { name: "numbers (2).csv" })).toBeVisible();
  await page.getByLabel("Files to upload").setInputFiles([again]);
  await page.getByRole("button", { name: "Replace" }).click();
  await expect.poll(() => run("cat numbers.csv 'numbers (2).csv'")).toBe("new\nnew\n");
});

test("folders are made, files renamed, moved, downloaded and deleted", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run(
    "mkdir -p data/inner; echo one > data/one.txt; echo two > data/inner/two.txt; ln -s /etc/passwd data/link",
  );
  await signIn(page, person);
  await open(page, "/files");

  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name", { exact: true }).fill("kept");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("table").getByRole("link", { name: "kept" })).toBeVisible();

  await page.getByRole("table").getByRole("link", { name: "data" }).click();
  await expect(page.getByText("→ /etc/passwd (not followed)")).toBeVisible();
  await act(page, "one.txt", "Rename…");
  await page.getByLabel("Name", { exact: true }).fill("in/side");
  await expect(page.getByText("A name can't hold a slash.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("uno.txt");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("link", { name: "uno.txt" })).toBeVisible();

  await act(page, "uno.txt", "Move…");
  const move = page.getByRole("dialog");
  await move.getByRole("button", { name: "Up" }).click();
  await move.getByRole("button", { name: "kept" }).click();
  await move.getByRole("button", { name: "Move to kept" }).click();
  await expect(page.getByRole("link", { name: "uno.txt" })).toHaveCount(0);
  expect(await run("cat kept/uno.txt; ls data")).toBe("one\ninner\nlink\n");

  await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "workspace" }).click();
  const zip = page.waitForEvent("download");
  await act(page, "data", "Download as zip");
  const saved = await zip;
  expect(saved.suggestedFilename()).toBe("data.zip");
  const bytes = await readFile(await saved.path());
  expect(bytes.includes("data/inner/two.txt")).toBe(true);
  expect(bytes.includes("root:x:0:0")).toBe(false);

  for (const name of ["data", "kept", "outputs"]) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Your workspace is empty" })).toBeVisible();
  expect(await run("ls")).toBe("");
});

test("text is edited and saved, and a change behind one's back is noticed", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run("printf 'print(1)\\r\\nprint(2)\\r\\n' > main.py; printf '\\0\\1' > data.bin");
  await signIn(page, person);
  await open(page, "/files");
  await page.getByRole("link", { name: "main.py" }).click();
  const editor = page.getByRole("textbox", { name: "Text of main.py" });
  await expect(editor).toContainText("print(2)");
  await editor.press("Control+End");
  await page.keyboard.type("print(3)");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await run("od -An -c main.py | tr -d ' \\n'")).toBe("print(1)\\r\\nprint(2)\\r\\nprint(3)");

  // Unchanged here, it follows the workspace; changed here, it asks.
  await run("echo 'theirs = 1' > main.py");
  await expect(editor).toContainText("theirs = 1");
  await editor.press("Control+End");
  await page.keyboard.type("mine = 2");
  await run("echo 'theirs = 3' > main.py");
  await expect(page.getByText("This file was changed in the workspace since you opened it.")).toBeVisible();
  await page.keyboard.press("Control+s");
  expect(await run("cat main.py")).toBe("theirs = 3\n");
  await page.getByRole("button", { name: "Overwrite with mine" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await run("cat main.py")).toBe("theirs = 1\nmine = 2");

  await page.getByRole("button", { name: "Close the file" }).click();
  await page.getByRole("link", { name: "data.bin" }).click();
  await expect(page.getByText("This file is not text.")).toBeVisible();
});

test("hostile names are shown harmless, and can be opened, downloaded, renamed and deleted", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run(
    `cd /workspace; python3 - <<'PY'
names = [b"new\\nline.txt", b"\\x1b[31mred.txt", "\\u202egpj.exe".encode(), b"\\xff\\xfe.bin", b"-rf", b"a\\\\x80b.txt",
         b'"><img src=x onerror=alert(1)>.txt', b"x" * 251 + b".txt"]
for name in names:
    open(name, "wb").write(b"content of " + name)
PY
mkfifo pipe; truncate -s 100G huge.bin`,
  );
  await signIn(page, person);
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  await open(page, "/files");
  for (const name of [
    "new\\u000aline.txt",
    "\\u001b[31mred.txt",
    "\\u202egpj.exe",
    "\\xff\\xfe.bin",
    "-rf",
  ]) {
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText("special file")).toBeVisible();

  await page.getByRole("link", { name: "\\xff\\xfe.bin", exact: true }).click();
  await expect(page.getByText("This file is not text.")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).last().click();
  expect(await readFile(await (await download).path())).toEqual(
    Buffer.concat([Buffer.from("content of "), Buffer.from([0xff, 0xfe]), Buffer.from(".bin")]),
  );
  await page.getByRole("button", { name: "Close the file" }).click();

  await page.getByRole("link", { name: "new\\u000aline.txt", exact: true }).click();
  await expect(page.getByRole("textbox")).toContainText("content of new");
  await page.reload();
  await expect(page.getByRole("textbox")).toContainText("content of new");
  await page.getByRole("button", { name: "Close the file" }).click();

  await act(page, "\\xff\\xfe.bin", "Rename…");
  await page.getByLabel("Name", { exact: true }).fill("tame.bin");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("link", { name: "tame.bin" })).toBeVisible();

  const huge = await page.request.get("/api/files/content?path=huge.bin");
  expect([huge.status(), (await huge.json()).error.code]).toEqual([413, "too_large"]);
  await page.getByLabel("Select all").check();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Your workspace is empty" })).toBeVisible();
  expect(await run("ls")).toBe("");
  expect(alerts).toEqual([]);
});

test("a folder of many thousand entries scrolls, and a full workspace says so", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run("mkdir many && cd many && seq -f 'entry-%05g' 1 3500 | xargs touch");
  await signIn(page, person);
  await open(page, "/files?path=many");
  await expect(page.getByRole("link", { name: "entry-00001" })).toBeVisible();
  expect(await page.getByRole("row").count()).toBeLessThan(200);
  const last = page.getByRole("link", { name: "entry-03500" });
  await expect(async () => {
    await page
      .getByRole("link", { name: /^entry-/ })
      .last()
      .scrollIntoViewIfNeeded();
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, 60_000);
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });

  await run("head -c 200M /dev/zero > fill; true");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page
    .getByLabel("Files to upload")
    .setInputFiles([
      { name: "one-more.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(2 ** 20, 1) },
    ]);
  await expect(page.getByText(/not enough room|disk is full/)).toBeVisible();
  const answer = await page.request.put("/api/files/content?path=two-more.bin", {
    data: Buffer.alloc(2 ** 20, 1),
    headers: { "content-type": "application/octet-stream" },
  });
  expect([answer.status(), (await answer.json()).error.message]).toEqual([
    409,
    expect.stringContaining("the disk is full: remove something and try again"),
  ]);
  expect(await run("ls -a | grep -c more; rm fill; echo room > again && cat again")).toBe("0\nroom\n");
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

test("files are only their owner's, and only our own pages may ask", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run("echo secret > secret.txt");
  const nobody = await request.get("/api/files/content?path=secret.txt");
  expect(nobody.status()).toBe(401);
  await signIn(page, person);
  const own = await page.request.get("/api/files/content?path=secret.txt", {
    headers: { range: "bytes=1-3" },
  });
  expect([own.status(), await own.text(), own.headers()["content-disposition"]]).toEqual([
    206,
    "ecr",
    `attachment; filename="secret.txt"; filename*=UTF-8''secret.txt`,
  ]);
  for (const path of ["../etc/passwd", "/etc/passwd", "a/../../etc/passwd", "."]) {
    const answer = await page.request.get("/api/files/content", { params: { path } });
    expect(answer.status(), path).toBe(400);
  }
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const forged = await page.request.delete("/api/files", {
    headers: foreign,
    data: { paths: ["secret.txt"] },
  });
  expect(forged.status()).toBe(403);
  expect(await run("cat secret.txt")).toBe("secret\n");
});

/** Opens a page of files and waits until it is alive. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("meter", { name: "Disk use" }).first()).toBeAttached({ timeout: 60_000 });
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function shell(
  request: APIRequestContext,
  token: string,
): Promise<(command: string) => Promise<string>> {
  return async (command) => {
    const answer = await request.post("/execute", {
      headers: { authorization: `Bearer ${token}` },
      data: { name: "execute_bash", arguments: { command, timeout: 60 } },
      timeout: 90_000,
    });
    return (await answer.json()).stdout;
  };
}
