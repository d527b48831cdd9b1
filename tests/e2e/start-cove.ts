import { startCove } from "../support/cove.ts";

/** One Cove for all end-to-end tests; each test makes users of its own. */
export default async function start(): Promise<() => Promise<void>> {
  const cove = await startCove();
  process.env.COVE_E2E_URL = cove.url;
  process.env.COVE_E2E_DATA_DIR = cove.dataDir;
  return async () => {
    await cove.stop();
  };
}
