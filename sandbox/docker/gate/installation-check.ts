// Tells the installation's own containers and volumes from all others on the engine. It asks the engine every time: what a
// name stands for may change.
import { request } from "node:http";
import { z } from "zod";
import { NotPermitted } from "./permit.ts";

/** Told in the engine's own words. */
export class NotThere extends Error {
  override name = "NotThere";
}

const Container = z.object({
  Id: z.string().regex(/^[0-9a-f]{64}$/),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
});
const Volume = z.object({ Labels: z.record(z.string(), z.string()).nullish() });
const Filters = z.object({ label: z.array(z.string()) });

/** The installation is the one whose things are made first, unless it is given: a server makes some when it starts. */
export function installationCheck(engine: string, givenInstallation?: string) {
  let installation = givenInstallation;

  function require(label: string | undefined, what: string): void {
    if (installation === undefined || label !== installation)
      throw new NotPermitted(`This ${what} is not this installation's.`);
  }

  async function look<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const { status, text } = await ask(engine, path);
    if (status === 404) throw new NotThere(messageIn(text));
    return schema.parse(JSON.parse(text));
  }

  return {
    makes(label: string): void {
      installation ??= label;
      require(label, "label");
    },
    /** Resolves to its id, which stands for nothing else. */
    async container(name: string): Promise<string> {
      const { Id, Config } = await look(`/containers/${name}/json`, Container);
      require(Config.Labels?.cove, "container");
      return Id;
    },
    async volume(name: string): Promise<void> {
      require((await look(`/volumes/${name}`, Volume)).Labels?.cove, "volume");
    },
    list(filters: string | null): void {
      const label = Filters.safeParse(parseJson(filters)).data?.label.find((one) => one.startsWith("cove="));
      require(label?.slice("cove=".length), "list");
    },
  };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function messageIn(text: string): string {
  return z.object({ message: z.string() }).safeParse(parseJson(text)).data?.message ?? "Not found.";
}

function ask(engine: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: engine, path, headers: { host: "docker" } }, async (from) => {
      const pieces: Buffer[] = [];
      for await (const piece of from) pieces.push(piece);
      resolve({ status: from.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
    });
    outgoing.on("error", reject).end();
  });
}
