// The stages of `npm test`, in order: the quickest to fail first.
import { ensureChromium, ensureEngineAndImage, withDebianPostgres } from "./needs.ts";
import { type Counts, check, playwright, vitest } from "./tools.ts";

export interface Stage {
  name: string;
  about: string;
  run: () => Promise<Counts>;
}

const ABOUT = {
  attacks: "hostile code in real containers",
  faults: "what breaks, and what still holds",
};

export const STAGES: Stage[] = [
  { name: "lint", about: "Biome", run: () => check("biome", "ci", ".") },
  {
    name: "types",
    about: "TypeScript",
    run: async () => {
      const generated = await check("next", "typegen");
      return generated.failed ? generated : check("tsc", "--noEmit");
    },
  },
  { name: "unit", about: "files by themselves, and the arrows between them", run: () => vitest("unit") },
  { name: "database", about: "on the embedded Postgres", run: () => vitest("database") },
  {
    name: "postgres",
    about: "the same on Debian's PostgreSQL",
    run: () => withDebianPostgres((url) => vitest("database", { COVE_TEST_DATABASE_URL: url })),
  },
  {
    name: "sandbox",
    about: "the image and its containers on a real engine",
    run: async () => {
      await ensureEngineAndImage();
      return vitest("sandbox");
    },
  },
  {
    name: "launch",
    about: "real starts: fresh, killed, misconfigured",
    run: async () => {
      await ensureEngineAndImage();
      return withDebianPostgres((url) => vitest("launch", { COVE_TEST_DATABASE_URL: url }));
    },
  },
  {
    name: "doors",
    about: "MCP and REST with real clients on a real server",
    run: async () => {
      await ensureEngineAndImage();
      return vitest("doors");
    },
  },
  {
    name: "e2e",
    about: "journeys in Chromium",
    run: async () => {
      await ensureEngineAndImage();
      await ensureChromium();
      return playwright();
    },
  },
  ...(["attacks", "faults"] as const).map((name) => ({
    name,
    about: ABOUT[name],
    run: async () => {
      await ensureEngineAndImage();
      return vitest(name);
    },
  })),
];
