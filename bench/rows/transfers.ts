// A gigabyte through the server, into the workspace and out again, as the browser does it.

import { type Cove, startCove } from "../../tests/support/cove.ts";
import { addPerson } from "../../tests/support/people.ts";
import { serverGrowth } from "../../tests/support/server-memory.ts";
import type { Row } from "../row.ts";

const MB = 2 ** 20;
const WHO = { email: "bench@example.com", name: "Bench", password: "a long enough password" };

export const transfers: Row = {
  name: "1-GB-upload",
  what: "1 GB uploaded to the workspace and downloaded again: growth of the server's resident size",
  bar: { atMost: 50 },
  unit: "MB",
  async measure() {
    const cove = await startCove({ COVE_SANDBOX_DISK: "1400m" });
    try {
      await addPerson(cove.dataDir, WHO);
      const cookie = await signIn(cove);
      // Once before, so that what is loaded on first use is no growth.
      await upload(cove, cookie, 64);
      await download(cove, cookie);
      const up = await serverGrowth(cove, () => upload(cove, cookie, 1024));
      const down = await serverGrowth(cove, () => download(cove, cookie));
      if (down.result !== 1024 * MB) throw new Error(`${down.result} bytes came back.`);
      const details = { uploadMB: up.grown / MB, downloadMB: down.grown / MB };
      return { value: Math.max(details.uploadMB, details.downloadMB), details };
    } finally {
      await cove.stop();
    }
  },
};

async function signIn({ url }: Cove): Promise<string> {
  const asked = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const cookie = cookiesOf(asked);
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie },
    body: new URLSearchParams({ csrfToken, email: WHO.email, password: WHO.password }),
  });
  return `${cookie}; ${cookiesOf(answer)}`;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

async function upload({ url }: Cove, cookie: string, megabytes: number): Promise<void> {
  const part = Buffer.alloc(MB, "x");
  let left = megabytes;
  const body = new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      left -= 1;
      controller.enqueue(part);
    },
  });
  const response = await fetch(`${url}/api/files/content?path=big.bin&replace=yes`, {
    method: "PUT",
    headers: { cookie, "content-type": "application/octet-stream" },
    body,
    duplex: "half",
  } as RequestInit);
  if (!response.ok) throw new Error(await response.text());
}

async function download({ url }: Cove, cookie: string): Promise<number> {
  let bytes = 0;
  const { body } = await fetch(`${url}/api/files/content?path=big.bin`, { headers: { cookie } });
  for await (const part of body ?? []) bytes += part.length;
  return bytes;
}
