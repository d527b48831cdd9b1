// A conversation whose server dies in the middle of an answer.
import { describe, expect, test } from "vitest";
import { removeInstallation, startCove } from "../support/cove.ts";
import { health } from "../support/health.ts";
import { serverOf } from "../support/kill.ts";
import { startModelServer } from "../support/model-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newWebPerson, personAt, textOf, type WebPerson } from "../support/web-person.ts";

describe("server killed mid-run", () => {
  test.each(["killed", "stopped"])(
    "when the server is %s, the answer keeps what it had and says that it was interrupted",
    async (how) => {
      const model = await startModelServer();
      const dataDir = await temporaryDirectory();
      const settings = {
        COVE_DATA_DIR: dataDir,
        OPENAI_BASE_URL: model.openai,
        OPENAI_API_KEY: model.key,
        COVE_MODEL: "local/echo",
      };
      const first = await startCove(settings);
      const ada = await newWebPerson(first);
      const talk = await begin(ada, { text: "go", model: "local/slow" }, "word5");
      const run = await begin(ada, { text: "!echo pri''nted; sleep 600" }, "printed");

      if (how === "killed") {
        // What was said is written down within moments; then the server is gone without a word.
        for (const { chat, said } of [talk, run]) {
          await expect.poll(() => stored(ada, chat, said), { timeout: 30_000 }).toContain(said);
        }
        const killed = await serverOf(first);
        process.kill(killed as number, "SIGKILL");
        await expect
          .poll(() => health(first).catch(() => "gone"), { timeout: 60_000 })
          .toMatchObject({ status: "ok" });
        expect(await serverOf(first)).not.toBe(killed);
      } else await first.stop();

      // One that was killed is started again by its launcher.
      const second = how === "killed" ? first : await startCove(settings);
      const again = personAt(second.url, ada);
      for (const { chat, message, said } of [talk, run]) {
        const { messages, running } = await again.open(chat);
        expect(running).toBeNull();
        expect(messages.at(-1)?.metadata).toMatchObject({ status: "interrupted" });
        expect(JSON.stringify(messages.at(-1)?.parts)).toContain(said);
        expect(await again.follow(chat, message)).toMatchObject({
          chunks: [],
          end: { status: "interrupted" },
        });
      }
      const { answer } = await again.ask(talk.chat, "and on we go");
      expect(textOf(answer)).toBe("You said: and on we go");

      await second.stop();
      await removeInstallation(dataDir);
      await model.close();
    },
  );
});

async function begin(person: WebPerson, turn: object, said: string) {
  const chat = await person.newChat();
  const { body } = await person.call("POST", `/api/conversations/${chat}/turns`, turn);
  const message: string = body.assistantMessage.id;
  await person.follow(chat, message, { until: ({ chunks }) => JSON.stringify(chunks).includes(said) });
  return { chat, message, said };
}

/** A search finds what was written, not what is in the server's memory. */
async function stored(person: WebPerson, chat: string, word: string): Promise<string> {
  const { body } = await person.call("GET", `/api/conversations?q=${word}`);
  const listed = body.conversations.find(({ id }: { id: string }) => id === chat);
  return String(listed?.snippet);
}
