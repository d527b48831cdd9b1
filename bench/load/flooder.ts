// A user who calls as fast as 16 connections can and never waits when told to. A process of its own, so that what it costs
// to make a flood isn't measured as what the others wait.
import { send } from "../http.ts";

export interface FloodReport {
  answered: number;
  /** With 429: no error, but what should happen. */
  refused: number;
  errors: number;
}

const CONNECTIONS = 16;
const [url = "", token = "", seconds = "0"] = process.argv.slice(2);
const end = performance.now() + Number(seconds) * 1000;
const report: FloodReport = { answered: 0, refused: 0, errors: 0 };

async function flood(): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "execute_bash", arguments: { command: "true" } });
  while (performance.now() < end) {
    const { status } = await send(`${url}/execute`, { method: "POST", headers, body });
    if (status === 200) report.answered += 1;
    else if (status === 429) report.refused += 1;
    else report.errors += 1;
  }
}

await Promise.all(Array.from({ length: CONNECTIONS }, flood));
process.send?.(report, () => process.disconnect());
