// What `npm run doctor` checks, seen from inside a running server.
import { freemem, totalmem } from "node:os";
import { pingDatabase } from "#db/client.ts";
import { env } from "#env.ts";
import packageJson from "#package.json" with { type: "json" };
import { db } from "../database.ts";
import { findEngine } from "../engine.ts";
import { allowedHosts } from "../sandboxes/allowed-hosts.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

export interface Finding {
  name: string;
  ok: boolean;
  says: string;
}

export async function examineSystem(): Promise<Finding[]> {
  return Promise.all([
    finding("Version", async () => `${packageJson.version}, Node ${process.versions.node}`),
    finding("Database", async () => {
      const started = performance.now();
      await pingDatabase(db());
      return `answers in ${Math.max(1, Math.round(performance.now() - started))} ms`;
    }),
    finding("Engine", findEngine),
    finding("Sandbox image", async () => env().COVE_SANDBOX_IMAGE ?? "none"),
    finding("Quota", async () => {
      const { quota } = await sandboxes();
      return quota.kind === "hard" ? "hard" : `soft. ${quota.reason}`;
    }),
    finding("Egress", async () => [env().COVE_EGRESS, ...allowedHosts()].join(", ")),
    finding("Models", async () => modelKeys() || "no key of the installation's; people may bring their own"),
    finding("Memory", async () => `${gigabytes(freemem())} of ${gigabytes(totalmem())} GB free on the host`),
  ]);
}

async function finding(name: string, look: () => Promise<string>): Promise<Finding> {
  return look().then(
    (says) => ({ name, ok: true, says }),
    (error) => ({ name, ok: false, says: error instanceof Error ? error.message : String(error) }),
  );
}

function modelKeys(): string {
  const { GEMINI_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL } = env();
  return [GEMINI_API_KEY && "Google", OPENAI_API_KEY && "OpenAI", OPENAI_BASE_URL].filter(Boolean).join(", ");
}

function gigabytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}
