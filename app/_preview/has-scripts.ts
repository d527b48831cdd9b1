/** Whether a page would do something by itself. One that seems to and doesn't is only asked about in vain; none runs unasked. */
export function hasScripts(html: string): boolean {
  return /<script\b|\bon[a-z]+\s*=|javascript:/i.test(html);
}
