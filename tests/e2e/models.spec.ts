import { answer, answerEnds, atConversation, expect, JOURNEY, say } from "./chat-steps.ts";
import { openAs, test } from "./fixtures.ts";

test.describe.configure(JOURNEY);

test("without a model the chat says how to connect one, and runs Bash and Python all the same", async ({
  page,
  person,
}) => {
  await openAs(page, person);
  const notice = page.getByRole("complementary", { name: "No model connected" });
  await expect(notice).toContainText("No model is connected");
  await expect(notice.getByRole("link", { name: "Connect a model" })).toHaveAttribute(
    "href",
    "/settings/models",
  );

  await say(page, "What is six times seven?");
  await expect(page.getByRole("alert").filter({ hasText: "No model is connected" })).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("What is six times seven?");

  const suggestion = (name: RegExp) =>
    page.getByRole("list", { name: "Suggestions" }).getByRole("button", { name });
  for (const [name, shown] of [
    [/Draw something/, page.getByRole("img", { name: "Result of the code" })],
    [/Do some maths/, page.getByText("sqrt(pi)").or(page.locator(".katex")).first()],
    [/Look around/, page.getByText("Python 3.13")],
    [/Make a table/, page.getByRole("columnheader", { name: "cube" })],
  ] as const) {
    await page.goto("/chat");
    await suggestion(name).click();
    await atConversation(page);
    await expect(shown).toBeVisible();
    await answerEnds(page);
  }
  await expect(page.getByRole("cell", { name: "512", exact: true })).toBeVisible();

  await say(page, "!echo out; echo err >&2; exit 3");
  const card = page.getByRole("region", { name: "Bash", exact: true });
  await expect(card).toContainText("Exit 3");
  await expect(card.getByRole("region", { name: "Output" })).toContainText("err");
});

test("one's own key is tested, never shown again, used, and removed", async ({ page, person }) => {
  const key = process.env.COVE_E2E_MODEL_KEY ?? "";
  await openAs(page, person, "/settings/models");
  const card = page.getByRole("listitem", { name: "OpenAI-compatible server" });
  await card.getByLabel("Address").fill(process.env.COVE_E2E_MODEL_URL ?? "");
  await card.getByLabel("Key").fill("sk-this-one-is-wrong");
  await card.getByRole("button", { name: "Save and test" }).click();
  await expect(card).toContainText("key …rong");
  await expect(card.getByRole("alert")).toContainText("it does not work yet");
  await remove();

  await card.getByLabel("Address").fill(process.env.COVE_E2E_MODEL_URL ?? "");
  await card.getByLabel("Key").fill(key);
  await card.getByRole("button", { name: "Save and test" }).click();
  await expect(card).toContainText("key …0123");
  await card.getByRole("button", { name: "Test", exact: true }).click();
  await expect(card.getByText(/It works: \d+ models can be used/)).toBeVisible();
  await page.reload();
  await expect(page.getByText("echo", { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(key);

  await page.goto("/chat");
  await page.getByLabel("Model", { exact: true }).selectOption({ label: "echo" });
  await say(page, "hello");
  await expect(answer(page)).toContainText("You said: hello");

  await page.goto("/settings/models");
  await remove();
  await page.goto("/chat");
  await expect(page.getByRole("complementary", { name: "No model connected" })).toBeVisible();

  async function remove() {
    await card.getByRole("button", { name: "Remove the key" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect(card.getByLabel("Key")).toBeVisible();
  }
});
