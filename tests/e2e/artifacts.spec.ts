// What real code made, in the gallery. What hostile pages try is in tests/attacks.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { insertArtifacts } from "#db/queries/artifact-changes.ts";
import { insertConversation, renameConversation } from "#db/queries/conversations.ts";
import { addToken, databaseOf } from "../support/people.ts";
import { card, expect, openArtifact, runner } from "./artifact-steps.ts";
import { openAs, signIn, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

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
  await openAs(page, person, "/artifacts");
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

test("hundreds are reached by scrolling, and narrowed by door and conversation", async ({
  page,
  person,
  cove,
}) => {
  const { db } = await databaseOf(cove.dataDir);
  const conversationId = await insertConversation(db, person.id);
  await renameConversation(db, person.id, conversationId, "Cities of the world");
  const rows = Array.from({ length: 400 }, (_, n) => {
    const sha256 = createHash("sha256").update(`${n}`).digest();
    const name = `note-${String(n).padStart(3, "0")}.txt`;
    const talked = n >= 398;
    return {
      ...{ source: "file", path: `/workspace/${name}`, name, pathKey: sha256, sha256 },
      ...{ mime: "text/plain", kind: "text", size: 10, preview: `the text of ${n}` },
      ...{ door: talked ? "chat" : "mcp", conversationId: talked ? conversationId : null },
    };
  });
  await insertArtifacts(db, person.id, rows, 2 ** 30);
  await openAs(page, person, "/artifacts?sort=name");
  await expect(card(page, "note-000.txt").getByText("the text of 0")).toBeVisible();
  const cards = page.getByRole("list", { name: "Artifacts" }).getByRole("listitem");
  await expect(async () => {
    await page.mouse.wheel(0, 4000);
    await expect(card(page, "note-399.txt")).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 60_000 });
  // Those out of sight are not on the page.
  expect(await cards.count()).toBeLessThan(120);

  await page.getByRole("combobox", { name: "Conversation" }).click();
  await page.getByRole("option", { name: "Cities of the world" }).click();
  await expect(cards).toHaveCount(2);
  await page.goto("/artifacts");
  await page.getByRole("combobox", { name: "Door" }).click();
  await page.getByRole("option", { name: "Chat", exact: true }).click();
  await expect(cards).toHaveCount(2);
  await expect(card(page, "note-398.txt")).toBeVisible();
});

test("hostile names are inert in the gallery and the viewer", async ({ page, person, cove, request }) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run(`python3 - <<'PY'
names = [b"new\\nline.txt", "\\u202egpj.exe".encode(), b"\\xff.txt", b"a?b#c%41&d.txt",
         b'"><img src=x onerror=alert(1)>.txt', b"x" * 251 + b".txt"]
for name in names:
    open(name, "wb").write(b"content of it")
PY`);
  await openAs(page, person);
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  const shown = ["new\\u000aline.txt", "\\u202egpj.exe", "\\xff.txt", "a?b#c%41&d.txt"];
  for (const name of [...shown, '"><img src=x onerror=alert(1)>.txt', `${"x".repeat(251)}.txt`]) {
    await openArtifact(page, name);
    await expect(page.getByRole("article").getByText("content of it")).toBeVisible();
  }
  expect(alerts).toEqual([]);
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
