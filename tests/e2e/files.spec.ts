// The live workspace in a real browser, with the files that real code makes, hostile ones among them.
import { readFile } from "node:fs/promises";
import { addToken } from "../support/people.ts";
import { act, expect, open, shell } from "./files-steps.ts";
import { openAs, signIn, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

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
  // Once it has closed, it is done; until then it hides the page behind it.
  await expect(move).toHaveCount(0);
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

test("files and folders are dropped in, a new one is written, and the tree leads to them", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run("mkdir -p reports/2026");
  await signIn(page, person);
  await open(page, "/files");
  const tree = page.getByRole("navigation", { name: "Folders" });
  await tree.getByRole("button", { name: "Folders in reports" }).click();
  await tree.getByRole("link", { name: "2026" }).click();
  await expect(page.getByRole("heading", { name: "This folder is empty" })).toBeVisible();
  await expect(tree.getByRole("link", { name: "2026" })).toHaveAttribute("aria-current", "page");

  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    for (const name of ["first.txt", "second.txt"]) data.items.add(new File([`text of ${name}`], name));
    return data;
  });
  const zone = page.getByRole("region", { name: "Workspace" });
  await zone.dispatchEvent("dragenter", { dataTransfer: dropped });
  await expect(page.getByText("Drop to upload into 2026")).toBeVisible();
  await zone.dispatchEvent("drop", { dataTransfer: dropped });
  await expect(page.getByRole("link", { name: "second.txt" })).toBeVisible();
  expect(await run("cat reports/2026/*.txt")).toBe("text of first.txttext of second.txt");

  await page.getByRole("button", { name: "New file" }).click();
  await page.getByLabel("Name", { exact: true }).fill("first.txt");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Something of that name is there already.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("notes.md");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("textbox", { name: "Text of notes.md" }).click();
  await page.keyboard.type("# Notes");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await run("cat reports/2026/notes.md")).toBe("# Notes");
  await tree.getByRole("link", { name: "reports" }).click();
  await expect(page.getByRole("table").getByRole("link", { name: "2026" })).toBeVisible();
});

test("a zip names everything it leaves out", async ({ page, person, cove, request }) => {
  const run = await shell(request, await addToken(cove.dataDir, person.id));
  await run(`mkdir -p all/locked && touch all/locked/secret all/kept && chmod 0 all/locked && ln -s /etc/passwd all/link
    cd all && for n in $(seq 105); do mkdir d && cd d; done; touch too-deep`);
  await signIn(page, person);
  const zip = await page.request.get("/api/files/zip?path=all");
  await page.request.put("/api/files/content?path=all.zip", { data: await zip.body() });
  const note = await run(`python3 -c "
import zipfile
print(zipfile.ZipFile('all.zip').read('LEFT-OUT.txt').decode())"; chmod 700 all/locked`);
  expect(note).toMatch(/^all\/locked: .*permission/im);
  expect(note).toContain("all/link: not a regular file\n");
  expect(note).toContain(`all${"/d".repeat(101)}: more than 100 folders deep\n`);
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
  await openAs(page, person);
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
