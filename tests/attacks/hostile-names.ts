/** What a file can be called, by what is wrong with it. */
export const HOSTILE_NAMES: [string, Buffer][] = Object.entries({
  "a newline": Buffer.from("a\nb"),
  "an escape sequence": Buffer.from("\u001b[31mred\u001b[0m"),
  "a right-to-left mark": Buffer.from("\u202egpj.exe"),
  "invalid UTF-8": Buffer.from([0x66, 0xff, 0xfe, 0x80, 0x67]),
  "half a surrogate in UTF-8": Buffer.from([0xed, 0xa0, 0x80]),
  "255 bytes": Buffer.alloc(255, "x"),
  quotes: Buffer.from(`'"\`$(touch pwned)\\`),
  "a leading dash": Buffer.from("-rf"),
  "spaces and dots": Buffer.from(" ... "),
  "a header of HTTP": Buffer.from("a\r\nSet-Cookie: evil=1\r\n\r\n"),
  "a byte that is written out": Buffer.from("\\xff"),
  markup: Buffer.from(`"><img src=x onerror=alert(1)>`),
  "our own temporary suffix": Buffer.from(".cove-000000000000.tmp"),
  "a JSON": Buffer.from('{"error":{"code":"x"}}'),
  "a prototype": Buffer.from("__proto__"),
});
