import {
  answer,
  answerEnds,
  atConversation,
  connectModel,
  expect,
  JOURNEY,
  newChat,
  say,
} from "./chat-steps.ts";
import { signIn, test } from "./fixtures.ts";

test.describe.configure(JOURNEY);

test("an agent runs code, shows the plot it drew, and its answer can be copied", async ({
  page,
  context,
  person,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "plot");
  await say(page, "Draw the squares");
  await atConversation(page);

  const card = page.getByRole("region", { name: "Python", exact: true });
  await expect(card).toContainText("plt.plot([1, 4, 9, 16])");
  await expect(card.getByRole("region", { name: "Output" })).toContainText("drawn");
  await expect(card).toContainText("Done");
  const plot = card.getByRole("img", { name: "Result of the code" });
  await expect(plot).toBeVisible();
  expect(await plot.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);

  await expect(answer(page).locator("strong", { hasText: "square" })).toBeVisible();
  await answerEnds(page);
  await expect(answer(page)).toContainText("local/plot");
  await answer(page).getByRole("button", { name: "Copy answer" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe("I draw it.\n\nHere is the **square** of every number.");

  await card.getByRole("button", { name: "Python" }).click();
  await expect(card.getByRole("region", { name: "Output" })).toHaveCount(0);
  await expect(plot).toBeVisible();
});

test("Escape stops the model and its process at once, and the conversation says so", async ({
  page,
  person,
}) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "patient");
  await say(page, "Count");
  await atConversation(page);
  const output = page.getByRole("region", { name: "Output" });
  await expect(output).toContainText("tick 3");
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(answer(page)).toContainText("You stopped this answer.");
  await expect(answer(page)).not.toContainText("All ticks are done.");
  await say(page, "!cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c 'sleep 0[.]1'");
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(answer(page).getByRole("region", { name: "Output" })).toHaveText(/^0/);
});

test("a reload in the middle loses nothing, and a second tab follows the same answer", async ({
  page,
  context,
  person,
}) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "talkative");
  await say(page, "Tell me");
  const address = await atConversation(page);
  await expect(answer(page)).toContainText("word3 ");

  await page.reload();
  await expect(answer(page)).toContainText("word0 word1");
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await expect(answer(page)).not.toContainText("word39");
  const other = await context.newPage();
  await other.goto(address);
  for (const tab of [page, other]) {
    await expect(answer(tab)).toContainText(/word0 word1 .*word39/);
    await answerEnds(tab);
    await expect(tab.getByRole("article")).toHaveCount(2);
  }

  // An idle tab hears of what the other one does.
  await other.getByLabel("Model", { exact: true }).selectOption({ label: "echo" });
  await say(other, "And again");
  await expect(page.getByRole("article", { name: "You" }).last()).toContainText("And again");
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(answer(page)).toContainText("You said: And again");
});

test("a message is edited in its place and an answer given again", async ({ page, person }) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  await say(page, "first thought");
  await atConversation(page);
  await answerEnds(page);
  await expect(answer(page)).toContainText("You said: first thought");

  await page.getByLabel("Message", { exact: true }).press("ArrowUp");
  await expect(page.getByLabel("Edited message")).toHaveValue("first thought");
  await page.getByLabel("Edited message").fill("second thought");
  await page.getByLabel("Edited message").press("Enter");
  await expect(answer(page)).toContainText("You said: second thought");
  await expect(page.getByRole("article").filter({ hasText: "first thought" })).toHaveCount(0);

  await answerEnds(page);
  await page.getByRole("button", { name: "Answer again" }).click();
  await answerEnds(page);
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.reload();
  await expect(answer(page)).toContainText("You said: second thought");
  await expect(page.getByRole("article")).toHaveCount(2);
});

test("a file that is attached lands in the workspace, and the agent reads it", async ({ page, person }) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "files");
  await expect(page.getByRole("button", { name: "Attach files" })).toBeEnabled();
  await page
    .getByLabel("Files to attach")
    .setInputFiles({ name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,two\n") });
  const attached = page.getByRole("list", { name: "Attached files" });
  await expect(attached).toContainText("numbers.csv");
  await expect(attached.getByRole("progressbar")).toHaveCount(0);
  await say(page, "What does it say?");
  await atConversation(page);
  await expect(page.getByRole("article", { name: "You" })).toContainText("numbers.csv");
  await expect(page.getByRole("region", { name: "Output" })).toContainText("1,two");
  await expect(answer(page)).toContainText("That is what the file says.");
  await expect(page.getByRole("list", { name: "Attached files" })).toHaveCount(0);

  // Written anew, the message still goes with its file.
  await answerEnds(page);
  await page.getByLabel("Message", { exact: true }).press("ArrowUp");
  await page.getByLabel("Edited message").fill("And now?");
  await page.getByLabel("Edited message").press("Enter");
  const asked = page.getByRole("article", { name: "You" });
  await expect(asked).toContainText("And now?");
  await answerEnds(page);
  await page.reload();
  await expect(asked).toContainText("And now?");
  await expect(asked).toContainText("numbers.csv");
});

test("files are dropped or pasted, and need no words; Shift-Enter makes a line", async ({ page, person }) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "echo");
  const field = page.getByLabel("Message", { exact: true });
  await expect(field).toBeEnabled();
  const holding = (name: string) =>
    page.evaluateHandle((name) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([`in ${name}\n`], name, { type: "text/plain" }));
      return transfer;
    }, name);

  const dropped = await holding("dropped.txt");
  await field.dispatchEvent("dragenter", { dataTransfer: dropped });
  await expect(page.getByText("Drop files to put them into the workspace")).toBeVisible();
  await field.dispatchEvent("drop", { dataTransfer: dropped });
  await expect(page.getByText("Drop files to put them into the workspace")).toHaveCount(0);
  const pasted = await holding("pasted.txt");
  await field.evaluate(
    (element, clipboardData) =>
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })),
    pasted,
  );
  const attached = page.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("listitem")).toHaveText(["dropped.txt", "pasted.txt"]);
  await expect(attached.getByRole("progressbar")).toHaveCount(0);

  await page.getByRole("button", { name: "Send" }).click();
  await atConversation(page);
  await expect(answer(page)).toContainText("Attached file: /workspace/uploads/dropped.txt");
  await expect(answer(page)).toContainText("/workspace/uploads/pasted.txt");
  await answerEnds(page);

  await field.fill("one");
  await field.press("Shift+Enter");
  await field.pressSequentially("two");
  await expect(field).toHaveValue("one\ntwo");
  await field.press("Enter");
  await expect(page.getByRole("article", { name: "You" }).last()).toHaveText(/one\ntwo/);
});

test("whoever listens instead of looking hears the answer in sentences, and when it is complete", async ({
  page,
  person,
}) => {
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "plot");
  await expect(page.getByLabel("Message", { exact: true })).toBeEnabled();
  // What is said replaces what was said before, so all of it has to be noted down.
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver(() => {
      const said = document.querySelector("[role=status][aria-live=polite]")?.textContent ?? "";
      if (said && said !== heard.at(-1)) heard.push(said);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await say(page, "Draw the squares");
  await atConversation(page);
  await answerEnds(page);
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join(" | "));
  await expect.poll(heard, { timeout: 60_000 }).toContain("The answer is complete.");
  expect(await heard()).toMatch(/Running Python\..*every number\./s);
});

test("an answer that attacks its reader loads nothing, runs nothing, and is still readable", async ({
  page,
  person,
}) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("evil.example")) elsewhere.push(request.url());
  });
  await signIn(page, person);
  await connectModel(page);
  await newChat(page, "attack");
  await say(page, "Go on");
  await atConversation(page);
  await answerEnds(page);
  const attack = answer(page);
  await expect(attack).toContainText("the end of the attack");
  await expect(attack.locator(".katex")).toBeVisible();
  // An exponent is smaller than what it stands on: the rules are those of the library that draws it.
  const sizeOf = (part: string) =>
    attack
      .locator(part)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(await sizeOf(".katex .msupsub .mtight")).toBeLessThan(await sizeOf(".katex"));
  await expect(attack.getByRole("link", { name: "A good link" })).toHaveAttribute("rel", /noopener/);
  await expect(attack.getByRole("link")).toHaveCount(1);
  await expect(attack.locator("img, script, iframe")).toHaveCount(0);
  await attack.getByText("click me").click();
  await attack.getByText("raw link").click();
  await page.reload();
  await expect(attack).toContainText("the end of the attack");
  await expect(page).not.toHaveTitle(/pwned/);
  expect(elsewhere).toEqual([]);
});
