// What becomes of a user's sandbox when they, or an administrator, start it over.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { cleanEnv, root } from "../support/cove.ts";
import { addToken } from "../support/people.ts";
import { newWebPerson, type WebPerson } from "../support/web-person.ts";

const own = ownCove({ COVE_RATE_LIMIT: "30" });

test.each([
  [
    "its owner deletes everything",
    (ada: WebPerson) => ada.call("POST", "/api/sandbox/delete", { confirmation: "delete everything" }),
  ],
  ["an administrator destroys it", (ada: WebPerson) => cli("sandbox", "destroy", ada.email)],
])("own skills go with the workspace when %s", async (_how, destroy) => {
  const ada = await newWebPerson(own.cove);
  const authorization = `Bearer ${await addToken(own.cove.dataDir, ada.id)}`;
  const skills = async (): Promise<string[]> => {
    const response = await fetch(`${own.cove.url}/skills`, { headers: { authorization } });
    return (await response.json()).skills.map(({ name }: { name: string }) => name);
  };
  const content = "---\nname: only-hers\ndescription: Nobody else's.\n---\nHers.\n";
  const response = await fetch(`${own.cove.url}/execute`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({
      name: "write_file",
      arguments: { file_path: ".agents/skills/only-hers/SKILL.md", content },
    }),
  });
  expect(response.status).toBe(200);
  expect(await skills()).toContain("only-hers");
  await destroy(ada);
  expect(await skills()).not.toContain("only-hers");
});

test("starting over is limited like any other call", async () => {
  const bob = await newWebPerson(own.cove);
  const statuses = new Set<number>();
  for (let n = 0; n < 40; n++) {
    statuses.add((await bob.call("POST", `/api/sandbox/${n % 2 ? "restart" : "reset"}`, {})).status);
  }
  // He has no sandbox, and after a while he isn't even told so.
  expect([...statuses]).toEqual([404, 429]);
});

async function cli(...args: string[]): Promise<void> {
  const env = cleanEnv({ COVE_DATA_DIR: own.cove.dataDir });
  await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], { cwd: root, env });
}
