import type { Cove } from "./cove.ts";

export async function health({ url }: Pick<Cove, "url">): Promise<unknown> {
  return (await fetch(`${url}/health`)).json();
}
