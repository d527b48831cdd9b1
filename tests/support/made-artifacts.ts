import { expect } from "vitest";
import type { Caller } from "./caller.ts";

export interface Artifact {
  id: string;
  path: string;
  mime: string;
  size: number;
  url: string;
}

/** What a command made, as its answer names it. */
export async function madeArtifacts({ execute }: Caller, command: string): Promise<Artifact[]> {
  const { body } = await execute("execute_bash", { command });
  expect(body).toMatchObject({ status: "completed", stderr: "" });
  return body.artifacts;
}
