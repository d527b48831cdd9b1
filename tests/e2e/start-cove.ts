import { randomUUID } from "node:crypto";
import { startCove } from "../support/cove.ts";
import { startModelServer } from "../support/model-server.ts";
import { addPerson } from "../support/people.ts";
import { SCRIPTS } from "./model-scripts.ts";

/**
 * One Cove for all end-to-end tests, and one scripted model that people may connect to; each test makes users of its own.
 * Whoever works on a page hands in the address and data directory of a `npm run dev` that is running already with
 * `COVE_MODEL_ALLOW=127.0.0.1:<port>`, and that port as COVE_E2E_MODEL_PORT.
 */
export default async function start(): Promise<() => Promise<void>> {
  const model = await startModelServer({ port: Number(process.env.COVE_E2E_MODEL_PORT ?? 0) });
  for (const [name, script] of Object.entries(SCRIPTS)) model.script(name, ...script);
  process.env.COVE_E2E_MODEL_URL = model.openai;
  process.env.COVE_E2E_MODEL_KEY = model.key;
  if (process.env.COVE_E2E_URL && process.env.COVE_E2E_DATA_DIR) return () => model.close();
  const cove = await startCove({ COVE_MODEL_ALLOW: new URL(model.openai).host });
  // The first account is an administrator's, whichever test would come first.
  await addPerson(cove.dataDir, { email: "operator@example.com", name: "Operator", password: randomUUID() });
  process.env.COVE_E2E_URL = cove.url;
  process.env.COVE_E2E_DATA_DIR = cove.dataDir;
  return async () => {
    await cove.stop();
    await model.close();
  };
}
