import { expect, test } from "vitest";
import { contentDisposition } from "./content-disposition.ts";

test.each([
  ["plot.png", `attachment; filename="plot.png"; filename*=UTF-8''plot.png`],
  ["Übersicht 1.csv", `attachment; filename="_bersicht 1.csv"; filename*=UTF-8''%C3%9Cbersicht%201.csv`],
  ['a"; x="b', `attachment; filename="a_; x=_b"; filename*=UTF-8''a%22%3B%20x%3D%22b`],
  ["a\r\nset-cookie: b", `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a__set-cookie%3A%20b`],
  ["\udcff.txt", `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ["\u202egpj.exe", `attachment; filename="_gpj.exe"; filename*=UTF-8''_gpj.exe`],
  ["it's (1)*", `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
])("%j", (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});
