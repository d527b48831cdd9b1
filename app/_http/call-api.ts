// The browser's side of our own handlers: JSON in, JSON out, and an error that carries the server's sentence.

export class ApiProblem extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export async function callApi<Answer>(
  path: string,
  { method = "GET", body, signal }: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    signal,
    headers: body === undefined ? undefined : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new ApiProblem("The server could not be reached. Check the connection and try again.", 0);
  });
  if (response.ok) return response.status === 204 ? (undefined as Answer) : response.json();
  throw new ApiProblem(await sentenceOf(response), response.status);
}

async function sentenceOf(response: Response): Promise<string> {
  const answer = await response.json().catch(() => undefined);
  return answer?.error?.message ?? "Something went wrong. Try again.";
}
