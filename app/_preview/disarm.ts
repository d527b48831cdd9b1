// Markup of a page that code made, without the few tags that reach out where no policy can stop them. A tag is always written
// as `<` and its name, so replacing that in the text leaves none, wherever a parser would find it. A script that holds such
// words is changed as well, which hardly ever matters.

// `link` asks for names and connections ahead of time, `meta` leads elsewhere; `basefont` is as empty an element and does nothing.
const HINTS = /<(?:link|meta)(?=[\s/>])/gi;
// A `srcdoc` frame has a window of its own, with everything in it that was taken away from the page's, and no policy forbids it.
const FRAMES = /<(\/?)iframe(?=[\s/>])/gi;
// A closed shadow root would hide frames from the observer in `first-script.ts`.
const SHADOW_ROOTS = /shadowrootmode/gi;
/** No less than the longest of what is replaced. */
const HELD_BACK = 32;

export function disarm(html: string): string {
  return html
    .replace(HINTS, "<basefont")
    .replace(FRAMES, "<$1x-iframe")
    .replace(SHADOW_ROOTS, "data-shadow-root");
}

/** The same for bytes that pass by. They leave as UTF-8, whatever they claim to be. */
export function disarmStream(before: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  return new TransformStream({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    transform(chunk, controller) {
      // What is replaced stays as it is when it is looked at again.
      const text = disarm(held + decoder.decode(chunk, { stream: true }));
      const end = Math.max(0, text.length - HELD_BACK);
      const splitsCharacter = /[\udc00-\udfff]/.test(text.charAt(end));
      held = text.slice(splitsCharacter ? end - 1 : end);
      controller.enqueue(encoder.encode(text.slice(0, text.length - held.length)));
    },
    flush: (controller) => controller.enqueue(encoder.encode(disarm(held + decoder.decode()))),
  });
}

/** Whether a page would do something by itself. One that seems to and doesn't is only asked about in vain; none runs unasked. */
export function hasScripts(html: string): boolean {
  return /<script\b|\bon[a-z]+\s*=|javascript:/i.test(html);
}
