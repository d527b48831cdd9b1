// What artifacts hold, as it is handed out: to whom, in which parts, and with what headers.
import { beforeAll, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { type Artifact, madeArtifacts } from "../support/made-artifacts.ts";
import { sessionCookie } from "../support/session-cookie.ts";

const own = ownCove();
let ada: Caller;
let bob: Caller;
let cookie: string;
let text: Artifact;

beforeAll(async () => {
  [ada, bob] = [await own.caller(), await own.caller()];
  cookie = await sessionCookie(own.cove.url, ada.email);
  [text] = (await madeArtifacts(ada, "printf 0123456789 > digits.txt")) as [Artifact];
});

const address = () => `${own.cove.url}/artifacts/${text.id}/digits.txt`;
const asOwner = (headers: Record<string, string> = {}, path = address()) =>
  fetch(path, { headers: { authorization: `Bearer ${ada.token}`, ...headers }, redirect: "manual" });

test("contents come by token, by session and by link", async () => {
  expect(await (await asOwner()).text()).toBe("0123456789");
  expect(await (await fetch(address(), { headers: { cookie } })).text()).toBe("0123456789");
  expect(await (await fetch(text.url)).text()).toBe("0123456789");
});

test("contents come in parts", async () => {
  const part = await asOwner({ range: "bytes=2-4" });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
    206,
    "bytes 2-4/10",
    "234",
  ]);
  expect(await (await asOwner({ range: "bytes=-3" })).text()).toBe("789");
  const outside = await asOwner({ range: "bytes=10-" });
  expect([outside.status, outside.headers.get("content-range")]).toEqual([416, "bytes */10"]);
  expect((await asOwner({ range: "bytes=0-1,4-5" })).status).toBe(200);
  const etag = part.headers.get("etag") ?? "";
  expect((await asOwner({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  expect((await asOwner({ range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
});

test("contents are not sent again to whoever has them, and only described to HEAD", async () => {
  const etag = (await asOwner()).headers.get("etag") ?? "";
  const again = await asOwner({ "if-none-match": `"x", W/${etag}` });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const head = await fetch(address(), { method: "HEAD", headers: { cookie } });
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
});

test("contents have headers that say what they are and let a browser do nothing with them", async () => {
  const { headers } = await asOwner();
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": expect.stringContaining('inline; filename="digits.txt"'),
    "cache-control": "private, no-cache, no-transform",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "accept-ranges": "bytes",
  });
  const saved = await asOwner({}, `${address()}?download`);
  expect(saved.headers.get("content-disposition")).toMatch(/^attachment/);
});

test("contents are kept for a while only by the browser of their owner, as pictures of a page", async () => {
  const asPicture = { "sec-fetch-dest": "image", "sec-fetch-site": "same-origin" };
  const cached = async (address: string, headers: Record<string, string>) =>
    (await fetch(address, { headers })).headers.get("cache-control");
  expect(await cached(address(), { cookie, ...asPicture })).toBe("private, max-age=3600, no-transform");
  expect(await cached(address(), { cookie })).toContain("no-cache");
  expect(await cached(text.url, asPicture)).toContain("no-cache");
});

test("contents of nothing are nothing", async () => {
  const [empty] = await madeArtifacts(ada, ": > empty.txt");
  const answer = await fetch(empty?.url ?? "");
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("contents are nobody else's", async () => {
  const foreign = await fetch(address(), { headers: { authorization: `Bearer ${bob.token}` } });
  expect(foreign.status).toBe(404);
  const unknown = await asOwner({}, `${own.cove.url}/artifacts/nonsense/x.txt`);
  expect(unknown.status).toBe(404);
  expect((await fetch(address(), { headers: { authorization: "Bearer nonsense" } })).status).toBe(401);
  expect((await fetch(address())).status).toBe(401);
  const person = await fetch(address(), { headers: { accept: "text/html" }, redirect: "manual" });
  const next = encodeURIComponent(`/artifacts/${text.id}/digits.txt`);
  expect([person.status, person.headers.get("location")]).toEqual([307, `/sign-in?next=${next}`]);
});

test("contents by link end with the link: changed, revoked", async () => {
  const api = `${own.cove.url}/api/artifacts/${text.id}/links`;
  const asPage = { cookie, "content-type": "application/json" };
  const made = await fetch(api, { method: "POST", headers: asPage, body: '{"expires_in": 3600}' });
  const { url } = (await made.json()) as { url: string };
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url.replace(/expires=\d+/, "expires=99999999999"))).status).toBe(404);
  expect((await fetch(url.replace(/signature=./, "signature=~"))).status).toBe(404);
  expect((await fetch(url.replace(/signature=.*/, "signature="))).status).toBe(404);
  const foreign = {
    cookie: await sessionCookie(own.cove.url, bob.email),
    "content-type": "application/json",
  };
  expect((await fetch(api, { method: "POST", headers: foreign, body: "{}" })).status).toBe(404);
  expect((await fetch(api, { method: "DELETE", headers: foreign })).status).toBe(404);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(api, { method: "DELETE", headers: asPage })).status).toBe(200);
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(text.url)).status).toBe(404);
  const again = await fetch(api, { method: "POST", headers: asPage, body: "{}" });
  expect((await fetch(((await again.json()) as { url: string }).url)).status).toBe(200);
});
