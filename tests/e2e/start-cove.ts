import { startCove } from "../support/cove.ts";

/**
 * One Cove for all end-to-end tests; each test makes users of its own. Whoever works on a page hands in the address and data
 * directory of a `npm run dev` that is running already.
 */
export default async function start(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.COVE_E2E_URL && process.env.COVE_E2E_DATA_DIR) return undefined;
  const cove = await startCove();
  process.env.COVE_E2E_URL = cove.url;
  process.env.COVE_E2E_DATA_DIR = cove.dataDir;
  return async () => {
    await cove.stop();
  };
}
