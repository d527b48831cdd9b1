// The stages of `npm test`, in order: the quickest to fail first.
import { ensureChromium, ensureCompose, ensurePythonTools, withDebianPostgres } from "./needs.ts";
import type { Outcome } from "./reports.ts";
import { check, playwright, pytest, vitest } from "./tools.ts";

export interface Stage {
  name: string;
  about: string;
  /** Runs containers. The engine and the image are got ready while the stages before it run. */
  engine?: true;
  /** Waits more than it computes, and so runs at the same time as the stage before it. */
  besidePrevious?: true;
  run: () => Promise<Outcome>;
}

export const STAGES: Stage[] = [
  { name: "lint", about: "Biome, ruff, mypy, and nothing that nobody uses", run: lint },
  { name: "types", about: "TypeScript", run: checkTypes },
  { name: "unit", about: "files by themselves, and the arrows between them", run: () => vitest("unit") },
  { name: "daemon", about: "parts of what runs in a sandbox, in Python", run: testDaemon },
  { name: "database", about: "on the embedded Postgres", run: () => vitest("database") },
  {
    name: "postgres",
    about: "the same on Debian's PostgreSQL",
    besidePrevious: true,
    run: onPostgres("database"),
  },
  { name: "sandbox", about: "the image and its containers", engine: true, run: () => vitest("sandbox") },
  {
    name: "launch",
    about: "real starts: fresh, killed, misconfigured",
    engine: true,
    run: onPostgres("launch"),
  },
  { name: "doors", about: "MCP and REST with real clients", engine: true, run: () => vitest("doors") },
  { name: "e2e", about: "journeys in Chromium", engine: true, run: withChromium(playwright) },
  {
    name: "attacks",
    about: "hostile code in real containers and browsers",
    engine: true,
    run: withChromium(() => vitest("attacks")),
  },
  { name: "faults", about: "what breaks, and what still holds", engine: true, run: () => vitest("faults") },
  { name: "deploy", about: "the images and docker-compose.yml", engine: true, run: withCompose },
];

async function lint(): Promise<Outcome> {
  const outcomes = [await check("biome", "ci", "."), await check("knip", "--no-progress")];
  const python = await ensurePythonTools();
  outcomes.push(
    await check(python, "-m", "ruff", "check"),
    await check(python, "-m", "ruff", "format", "--check"),
    await check(python, "-m", "mypy"),
  );
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.flatMap(({ failed }) => failed),
  };
}

async function checkTypes(): Promise<Outcome> {
  const generated = await check("next", "typegen");
  // What an earlier check remembers of generated types may be out of date, and all of it takes seconds.
  return generated.failed.length ? generated : check("tsc", "--noEmit", "--incremental", "false");
}

async function testDaemon(): Promise<Outcome> {
  return pytest(await ensurePythonTools());
}

function onPostgres(project: string): () => Promise<Outcome> {
  return () => withDebianPostgres((url) => vitest(project, { COVE_TEST_DATABASE_URL: url }));
}

async function withCompose(): Promise<Outcome> {
  await ensureCompose();
  return vitest("deploy");
}

function withChromium(run: () => Promise<Outcome>): () => Promise<Outcome> {
  return async () => {
    await ensureChromium();
    return run();
  };
}
