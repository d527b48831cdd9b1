import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { doorOf } from "../support/door.ts";
import { addToken } from "../support/people.ts";
import { patched, skillMd, zipOf } from "../support/zips.ts";
import { answer, answerEnds, atConversation, connectModel, newChat, say } from "./chat-steps.ts";
import { expect as impatient, openAs, signIn, test } from "./fixtures.ts";

// Each opens a sandbox or many pages, which takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 });
const expect = impatient.configure({ timeout: 30_000 });

test("skills are browsed, read, downloaded and switched off", async ({ page, person, cove, request }) => {
  const token = await addToken(cove.dataDir, person.id);
  const offered = async () => {
    const answer = await request.get("/skills", { headers: { authorization: `Bearer ${token}` } });
    const { skills } = await answer.json();
    return skills.map(({ name }: { name: string }) => name);
  };
  await openAs(page, person, "/skills");
  const builtIn = page.getByRole("list", { name: "Built in skills" });
  await expect(builtIn.getByRole("listitem")).toHaveCount(6);
  await expectAccessible(page);

  const toggle = page.getByRole("switch", { name: "Offer web-scraping" });
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expect.poll(offered).not.toContain("web-scraping");
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect.poll(offered).toContain("web-scraping");

  await page.getByRole("link", { name: "symbolic-computation" }).click();
  await expect(page.getByRole("heading", { name: "Integrals and derivatives" })).toBeVisible();
  await expect(page.getByText("antiderivative").first()).toBeVisible();
  await page.getByRole("link", { name: /references\/simplify\.md/ }).click();
  await expect(page.getByRole("heading", { name: "Simplification and speed" })).toBeVisible();
  await expectAccessible(page);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download symbolic-computation" }).click();
  expect((await download).suggestedFilename()).toBe("symbolic-computation.zip");
});

test("a skill is tried: its example is written and ready to send, and the answer comes by the skill", async ({
  page,
  person,
}) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "skilled");
  await say(page, "Hello");
  await atConversation(page);

  await page.goto("/skills/symbolic-computation");
  await page.getByRole("link", { name: "Try" }).click();
  const field = page.getByLabel("Message", { exact: true });
  await expect(field).toHaveValue("Integrate x·eˣ and check the result.");
  await expect(field).toBeFocused();
  await page.getByLabel("Model", { exact: true }).selectOption({ label: "skilled" });
  // Nothing is sent by a link alone: what is asked in somebody's name they send themselves.
  await expect(page.getByRole("article")).toHaveCount(0);
  await field.press("Enter");
  await atConversation(page);
  await expect(page.getByRole("article", { name: "You" })).toContainText("Integrate x·eˣ");
  await expect(page.getByRole("region", { name: "Read skill symbolic-computation" })).toBeVisible();
  await expect(answer(page)).toContainText("(x - 1)*exp(x)");
  await answerEnds(page);
});

test("a skill is written with the validator beside it, edited, and deleted", async ({ page, person }) => {
  await openAs(page, person, "/skills/~new");
  await expect(page.getByText("A skill's name is 1 to 64")).toBeVisible();
  await page.getByLabel("Name").fill("tea-time");
  await expect(page.getByText("Valid by the Agent Skills standard.")).toBeVisible();

  const editor = page.getByRole("textbox", { name: "SKILL.md" });
  await editor.fill("---\nname: tea-time\n---\nBoil.");
  await expect(page.getByText("The field description is missing")).toBeVisible();
  await page.getByRole("button", { name: "Create skill" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "description is missing" })).toBeVisible();

  await editor.fill(skillMd("tea-time", "Making tea", "# Brewing\n\nBoil water.\n"));
  await expect(page.getByText("Valid by the Agent Skills standard.")).toBeVisible();
  await page.getByRole("button", { name: "Create skill" }).click();
  await page.waitForURL("**/skills/tea-time");
  await expect(page.getByRole("heading", { name: "Brewing" })).toBeVisible();

  await page.getByRole("link", { name: "Edit" }).click();
  await expect(editor).toContainText("Boil water.");
  await editor.fill(skillMd("tea-time", "Making better tea", "# Steeping\n"));
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/skills/tea-time");
  await expect(page.getByText("Making better tea")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Steeping" })).toBeVisible();

  await page.goto("/skills");
  await expect(page.getByRole("list", { name: "Yours skills" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("link", { name: "tea-time" }).click();
  await deleteSkill(page, "tea-time");
  await page.waitForURL("**/skills");
  await expect(page.getByRole("list", { name: "Yours skills" })).toBeHidden();
});

test("a zip is uploaded; one that is a trap is refused with the reason", async ({ page, person }) => {
  await openAs(page, person, "/skills");
  await page.getByRole("button", { name: "Upload" }).click();
  const dialog = page.getByRole("dialog");
  const send = async (name: string, buffer: Buffer) => {
    await dialog.getByLabel("Zip file").setInputFiles({ name, mimeType: "application/zip", buffer });
    await dialog.getByRole("button", { name: "Upload" }).click();
  };
  await send("no.zip", Buffer.from("hello"));
  await expect(dialog.getByRole("alert")).toContainText("not a zip");
  const escaping = await zipOf({ "x/SKILL.md": skillMd("x"), "@@/evil.sh": "" });
  await send("evil.zip", patched(escaping, "@@/", "../"));
  await expect(dialog.getByRole("alert")).toContainText("invalid relative path");
  await send("bomb.zip", await zipOf({ "x/SKILL.md": skillMd("x"), "x/zeros": Buffer.alloc(12 * 2 ** 20) }));
  await expect(dialog.getByRole("alert")).toContainText("at most 10 MB, unpacked");

  const good = {
    "report/SKILL.md": skillMd("report", "Reports", "Run scripts/go.sh"),
    "report/scripts/go.sh": "echo go",
  };
  await send("report.zip", await zipOf(good));
  await page.waitForURL("**/skills/report");
  await expect(page.getByRole("link", { name: /scripts\/go\.sh/ })).toBeVisible();

  await page.goto("/skills");
  await page.getByRole("button", { name: "Upload" }).click();
  await send("report.zip", await zipOf(good));
  await expect(dialog.getByRole("alert")).toContainText("You have a skill called report already");
});

test("a built-in skill is customised for one person, and comes back when that is deleted", async ({
  page,
  person,
}) => {
  await openAs(page, person, "/skills/data-analysis");
  await page.getByRole("button", { name: "Customise" }).click();
  await page.waitForURL("**/skills/data-analysis/edit");
  const editor = page.getByRole("textbox", { name: "SKILL.md" });
  await editor.fill(skillMd("data-analysis", "Our own way", "# Ours\n\n<script>alert(1)</script>\n"));
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/skills/data-analysis");
  await expect(page.getByText("you, instead of the built-in one")).toBeVisible();
  await expect(page.getByRole("link", { name: /scripts\/overview\.py/ })).toBeVisible();
  await deleteSkill(page, "data-analysis");
  await page.waitForURL("**/skills");
  await page.goto("/skills/data-analysis");
  await expect(page.getByRole("button", { name: "Customise" })).toBeVisible();
  await expect(page.getByText("built in", { exact: true })).toBeVisible();

  // Switched off it stays off, whatever was made of it meanwhile.
  const toggle = page.getByRole("switch", { name: "Offer data-analysis" });
  await toggle.click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await expect(toggle).toHaveAttribute("aria-busy", "false");
  await page.getByRole("button", { name: "Customise" }).click();
  await page.waitForURL("**/skills/data-analysis/edit");
  await page.goto("/skills/data-analysis");
  await expect(toggle).not.toBeChecked();
  await deleteSkill(page, "data-analysis");
  await page.waitForURL("**/skills");
  await expect(page.getByRole("list", { name: "Yours skills" })).toBeHidden();
  await expect(toggle).not.toBeChecked();
});

test("a broken skill says what is wrong with it, and shows what there is to mend", async ({
  page,
  person,
  cove,
}) => {
  const execute = await doorOf(cove, person);
  await execute("write_file", {
    file_path: ".agents/skills/tea/SKILL.md",
    content: "Boil the water first.",
  });
  await openAs(page, person, "/skills");
  await page.getByRole("link", { name: "tea" }).click();
  await expect(page.getByText("does not begin with front matter")).toBeVisible();
  await expect(page.getByText("Boil the water first.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try" })).toHaveCount(0);
});

test("a skill that isn't there, is somebody else's or can't be a name is not found", async ({
  page,
  person,
}) => {
  await signIn(page, person);
  for (const name of ["nope", "..%2f..%2fetc", "%00", "x/edit"]) {
    const answer = await page.goto(`/skills/${name}`);
    expect([400, 404]).toContain(answer?.status());
  }
  const upload = await page.request.post("/api/skill-zips", {
    data: "x",
    headers: { origin: "https://evil.example" },
  });
  expect(upload.status()).toBe(403);
});

/** What is clicked before the page is awake is lost, so it is clicked until the question is there. */
async function deleteSkill(page: Page, name: string): Promise<void> {
  const question = page.getByRole("alertdialog");
  await expect(async () => {
    if (!(await question.isVisible())) {
      await page.getByRole("button", { name: `Delete ${name}` }).click({ timeout: 5000 });
    }
    await expect(question).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
  await question.getByRole("button", { name: "Delete" }).click();
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
