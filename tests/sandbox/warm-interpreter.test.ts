// The warm interpreter is kept only where it pays: it goes by itself once nobody has wanted a session for a minute.
import { expect, test } from "vitest";
import { testSandboxes } from "../support/sandboxes.ts";

const PROCESSES = "pgrep -fc '[c]ove_kernel/__main__' || true";

test("an interpreter that nobody needs leaves, and the next session starts another", {
  timeout: 180_000,
}, async () => {
  const all = await testSandboxes();
  try {
    const sandbox = await all.sandboxes.open("ann");
    await sandbox.python("x = 1");
    await sandbox.resetSession("default");
    // The session's own processes take a moment to go.
    await expect.poll(() => all.sh("ann", PROCESSES), { timeout: 20_000 }).toBe("1");
    await expect.poll(() => all.sh("ann", PROCESSES), { timeout: 150_000, interval: 2_000 }).toBe("0");
    expect((await sandbox.python("1 + 1")).results).toMatchObject([{ text: "2" }]);
  } finally {
    await all.cleanUp();
  }
});
