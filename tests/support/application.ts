// The application as the tests serve it, built once before any file starts it: two files may do that at the same time.
import { buildIfChanged } from "#scripts/build.ts";
import { root, TEST_BUILD } from "./cove.ts";

export default async function build(): Promise<void> {
  // Nothing is built for a Cove that runs already.
  if (!process.env.COVE_DOORS_URL) await buildIfChanged(root, TEST_BUILD);
}
