// The stages of `npm test`, in order: the quickest to fail first.
import { ensureChromium, ensureEngineAndImage, withDebianPostgres } from "./needs.ts";
import { type Counts, check, playwright, vitest } from "./tools.ts";

export interface Stage {
  name: string;
  about: string;
  run: () => Promise<Counts>;
}

export const STAGES: Stage[] = [
  { name: "lint", about: "Biome", run: () => check("biome", "ci", ".") },
  { name: "types", about: "TypeScript", run: checkTypes },
  { name: "unit", about: "files by themselves, and the arrows between them", run: () => vitest("unit") },
  { name: "database", about: "on the embedded Postgres", run: () => vitest("database") },
  { name: "postgres", about: "the same on Debian's PostgreSQL", run: onPostgres("database") },
  { name: "sandbox", about: "the image and its containers", run: onEngine(() => vitest("sandbox")) },
  { name: "launch", about: "real starts: fresh, killed, misconfigured", run: onEngine(onPostgres("launch")) },
  { name: "doors", about: "MCP and REST with real clients", run: onEngine(() => vitest("doors")) },
  { name: "e2e", about: "journeys in Chromium", run: onEngine(inChromium) },
  { name: "attacks", about: "hostile code in real containers", run: onEngine(() => vitest("attacks")) },
  { name: "faults", about: "what breaks, and what still holds", run: onEngine(() => vitest("faults")) },
];

async function checkTypes(): Promise<Counts> {
  const generated = await check("next", "typegen");
  return generated.failed ? generated : check("tsc", "--noEmit");
}

function onPostgres(project: string): () => Promise<Counts> {
  return () => withDebianPostgres((url) => vitest(project, { COVE_TEST_DATABASE_URL: url }));
}

function onEngine(run: () => Promise<Counts>): () => Promise<Counts> {
  return async () => {
    await ensureEngineAndImage();
    return run();
  };
}

async function inChromium(): Promise<Counts> {
  await ensureChromium();
  return playwright();
}
