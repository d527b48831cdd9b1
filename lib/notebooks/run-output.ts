// What runs printed and displayed, for a notebook: pictures are fetched from where they are kept, and all of it is bounded.
import { z } from "zod";
import { findArtifacts } from "#db/queries/artifacts.ts";
import { findExecution } from "#db/queries/executions.ts";
import { readable } from "#mcp/tools/execution-view.ts";
import { isLost, readContents } from "../artifacts/open-contents.ts";
import { db } from "../database.ts";
import { withOutput } from "../executions/stored-output.ts";
import { readJsonText } from "../read-json-text.ts";
import type { CellOutput, CellResult } from "./write-notebook.ts";

/** Of one notebook. Larger ones are of no use to anybody, and all of it is in memory at once. */
const MOST_BYTES = 32 * 2 ** 20;

const kept = z.array(
  z.object({ mime: z.string(), text: z.string().optional(), artifact_id: z.string().optional() }),
);
type Kept = z.infer<typeof kept>[number];

/** Each run's, in the order given, until there is no more room. A run that is gone, or goes on, has none. */
export async function runOutputs(
  userId: string,
  ids: string[],
  mostBytes = MOST_BYTES,
): Promise<Map<string, CellOutput>> {
  const outputs = new Map<string, CellOutput>();
  let left = mostBytes;
  for (const id of ids) {
    const found = await findExecution(db(), userId, id);
    if (!found?.finishedAt) continue;
    const run = await withOutput(found);
    if (run.outputMissing) {
      outputs.set(id, { stdout: "", stderr: "", results: [{ mime: "text/plain", text: run.outputMissing }] });
      continue;
    }
    const stdout = readable(run.stdout ?? Buffer.alloc(0));
    const stderr = readable(run.stderr ?? Buffer.alloc(0));
    if (stdout.length + stderr.length > left) {
      outputs.set(id, { stdout: "", stderr: "", results: [leftOut("output")] });
      continue;
    }
    left -= stdout.length + stderr.length;
    const results: CellResult[] = [];
    for (const result of readJsonText(kept, run.results, [])) {
      const shown = await resultOf(userId, result, left);
      if (shown) left -= "data" in shown ? shown.data.length : shown.text.length;
      results.push(shown ?? leftOut(result.mime));
    }
    outputs.set(id, { stdout, stderr, results });
  }
  return outputs;
}

/** Nothing if there is no room for it. */
async function resultOf(
  userId: string,
  { mime, text, artifact_id }: Kept,
  room: number,
): Promise<CellResult | undefined> {
  if (text !== undefined) return text.length <= room ? { mime, text } : undefined;
  const [artifact] = artifact_id ? await findArtifacts(db(), userId, [artifact_id]) : [];
  if (!artifact) return { mime: "text/plain", text: `[${mime}: no longer there]` };
  if (artifact.size * (4 / 3) > room) return undefined;
  const bytes = await readContents(artifact).catch((error) => {
    if (!isLost(error)) throw error;
  });
  if (!bytes) return { mime: "text/plain", text: `[${mime}: lost from the server's disk]` };
  const isText = mime === "image/svg+xml" || mime.startsWith("text/") || mime.endsWith("json");
  return isText ? { mime, text: bytes.toString("utf8") } : { mime, data: bytes.toString("base64") };
}

function leftOut(what: string): CellResult {
  return { mime: "text/plain", text: `[${what}: left out, the notebook would be too large]` };
}
