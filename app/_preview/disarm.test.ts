import fc from "fast-check";
import { expect, test } from "vitest";
import { disarm, disarmStream } from "./disarm.ts";

test("what asks for names, leads elsewhere or opens another window is no such tag any more", () => {
  expect(disarm('<LINK rel=preconnect href=//x><meta\nhttp-equiv=refresh><link/rel="x">')).toBe(
    '<basefont rel=preconnect href=//x><basefont\nhttp-equiv=refresh><basefont/rel="x">',
  );
  expect(disarm('<iFrame srcdoc="<p>">inner</iframe>')).toBe('<x-iframe srcdoc="<p>">inner</x-iframe>');
  expect(disarm("<template ShadowRootMode=closed>")).toBe("<template data-shadow-root=closed>");
  expect(disarm("<linker> <metal> a < link, iframe")).toBe("<linker> <metal> a < link, iframe");
});

test("however the bytes are cut, the result is the same", async () => {
  const piece = fc.constantFrom(
    "<",
    "/",
    "iframe",
    "link",
    "meta",
    " ",
    ">",
    "shadowroot",
    "mode",
    "é",
    "𝒳",
    "x",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      async (pieces, size) => {
        const html = pieces.join("");
        const bytes = new TextEncoder().encode(html);
        expect(await streamed(bytes, size)).toBe(`first${disarm(html)}`);
      },
    ),
  );
});

test("bytes of another encoding don't become markup", async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<iframe srcdoc=x>", "utf16le")]);
  expect(await streamed(utf16, 7)).not.toMatch(/<iframe/);
  expect(Buffer.from(await streamed(utf16, 7)).subarray(5, 8)).toEqual(Buffer.from("\ufffd"));
});

async function streamed(bytes: Uint8Array, size: number): Promise<string> {
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(parts.pipeThrough(disarmStream("first"))).text();
}
