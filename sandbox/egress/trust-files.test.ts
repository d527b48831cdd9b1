import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { trustFiles, writeTrustFiles } from "./trust-files.ts";

const own = `-----BEGIN CERTIFICATE-----\n${"QUJD".repeat(40)}\n-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----\n${"c2VjcmV0".repeat(8)}\n-----END PRIVATE KEY-----`;

test("certificates of the operator come on top of the public ones", () => {
  const files = trustFiles(`# mine\n${own}\n${own}\n${rootCertificates[0]}`);
  expect(count(files?.["extra.pem"])).toBe(1);
  expect(count(files?.["all.pem"])).toBe(rootCertificates.length + 1);
  expect(files?.["all.pem"]).toContain(files?.["extra.pem"]);
});

test("a public certificate is known however its lines are broken", () => {
  const [first = ""] = rootCertificates;
  const body =
    first
      .split("\n")
      .slice(1, -1)
      .join("")
      .match(/.{1,40}/g) ?? [];
  expect(trustFiles(["-----BEGIN CERTIFICATE-----", ...body, "-----END CERTIFICATE-----"].join("\r\n"))).toBe(
    undefined,
  );
});

test("nothing but certificates gets through", () => {
  expect(trustFiles(`${key}\n`)).toBeUndefined();
  expect(JSON.stringify(trustFiles(`${key}\n${own}`))).not.toContain("c2VjcmV0");
});

test("files are written once and then left alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trust-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await writeTrustFiles(join(folder, "trust"))).toBe(false);
  expect(await writeTrustFiles(join(folder, "trust"), own)).toBe(true);
  const path = join(folder, "trust", "extra.pem");
  utimesSync(path, 1, 1);
  expect(await writeTrustFiles(join(folder, "trust"), own)).toBe(true);
  expect(statSync(path).mtimeMs).toBe(1000);
  expect(count(readFileSync(path, "utf8"))).toBe(1);
});

function count(text = ""): number {
  return text.match(/BEGIN CERTIFICATE/g)?.length ?? 0;
}
