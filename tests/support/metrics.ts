export function readMetrics(url: string, token: string): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
}

/** What a sample says now, 0 if it isn't there yet. The token is an administrator's. */
export async function readSample(url: string, token: string, sample: string): Promise<number> {
  const text = await (await readMetrics(url, token)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
  return line ? Number(line.slice(sample.length + 1)) : 0;
}
