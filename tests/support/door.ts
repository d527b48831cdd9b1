// Runs code for a person through the REST door: most journeys are about what becomes of a run, not about how it began.
import { jsonRequest } from "./json-request.ts";
import { addToken } from "./people.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
export type Execute = (name: string, args?: object) => Promise<any>;

export async function doorOf(
  cove: { url: string; dataDir: string },
  person: { id: string },
): Promise<Execute> {
  const token = await addToken(cove.dataDir, person.id);
  return async (name, args = {}) => {
    const response = await fetch(`${cove.url}/execute`, jsonRequest(token, { name, arguments: args }));
    if (!response.ok) throw new Error(`${name} was refused: ${await response.text()}`);
    return response.json();
  };
}
