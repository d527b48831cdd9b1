// What Cove adds to a model's own time until its first word is on the screen: the whole path, sign-in checked, question
// written down, prompt made, model asked, word passed on.

import { newCaller } from "../../tests/support/caller.ts";
import { startCove } from "../../tests/support/cove.ts";
import { startModelServer } from "../../tests/support/model-server.ts";
import { events, newWebPerson } from "../../tests/support/web-person.ts";
import { spread } from "../measure.ts";
import type { Row } from "../row.ts";

const QUESTION = { model: "thinker", messages: [{ role: "user", content: "hi" }], stream: true };
const json = { "content-type": "application/json" };

export const firstToken: Row = {
  name: "first-token",
  what: "first word of an answer over the model's own time, the slower of chat and OpenAI door",
  bar: { atMost: 50 },
  unit: "ms",
  async measure({ samples }) {
    const model = await startModelServer();
    model.script("thinker", { text: ["First ", "and last."], delayMs: 100 });
    const cove = await startCove({ OPENAI_BASE_URL: model.openai, OPENAI_API_KEY: model.key });
    try {
      const { token } = await newCaller(cove);
      const person = await newWebPerson(cove);
      const tools = [{ type: "function", function: { name: "x", parameters: {} } }];
      const alone = () =>
        untilWord(post(`${model.openai}/chat/completions`, model.key, { ...QUESTION, tools }));
      const door = () =>
        untilWord(post(`${cove.url}/v1/chat/completions`, token, { ...QUESTION, model: "local/thinker" }));
      const chat = async () => {
        const id = await person.newChat();
        const started = performance.now();
        const { body } = await person.call("POST", `/api/conversations/${id}/turns`, {
          text: "hi",
          model: "local/thinker",
        });
        const path = `/api/conversations/${id}/stream?message=${body.assistantMessage.id}&after=0`;
        const asked = performance.now() - started;
        return asked + (await untilWord(person.send(path)));
      };
      // In turns, so that a busy moment of the machine meets all three.
      const times = { alone: [] as number[], door: [] as number[], chat: [] as number[] };
      for (let round = -5; round < samples; round++) {
        const took = { alone: await alone(), door: await door(), chat: await chat() };
        if (round < 0) continue;
        for (const [name, ms] of Object.entries(took)) times[name as keyof typeof times].push(ms);
      }
      const [byItself, byDoor, byChat] = [spread(times.alone), spread(times.door), spread(times.chat)];
      const value = Math.max(byDoor.median, byChat.median) - byItself.median;
      return { value, details: { alone: byItself, door: byDoor, chat: byChat } };
    } finally {
      await cove.stop();
      await model.close();
    }
  },
};

function post(url: string, key: string, body: object): Promise<Response> {
  const headers = { ...json, authorization: `Bearer ${key}` };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Reads to the end, so that nothing of it is left for the next round. */
async function untilWord(asked: Promise<Response>): Promise<number> {
  const started = performance.now();
  let word: number | undefined;
  for await (const { data } of events(await asked)) {
    if (word === undefined && data?.includes("First")) word = performance.now() - started;
  }
  if (word === undefined) throw new Error("The model said nothing.");
  return word;
}
