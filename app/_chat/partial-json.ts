// `ai` has a reader of its own, which only answers later, while chunks are applied as they come, and costs a page 45 kB.

/** The object that a JSON text is becoming, while its end has not arrived. Undefined until there is one. */
export function partialJson(text: string): Record<string, unknown> | undefined {
  const closers: string[] = [];
  let inString = false;
  // The last place where everything so far was complete, and what it takes to close it there.
  let safe = { end: 0, closing: "" };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += text[at + 1] === "u" ? 5 : 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") closers.unshift("}");
    else if (character === "[") closers.unshift("]");
    else if (character === "}" || character === "]") closers.shift();
    else if (character === ",") safe = { end: at, closing: closers.join("") };
  }
  const whole = inString ? `${withoutCutEscape(text)}"${closers.join("")}` : text + closers.join("");
  return object(whole) ?? object(text.slice(0, safe.end) + safe.closing);
}

function object(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function withoutCutEscape(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1");
}
