// Every setting reaches the server in docker-compose.yml: one that is only in .env.example would silently do nothing there.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = path.resolve(import.meta.dirname, "..");
const text = readFileSync(path.join(root, "docker-compose.yml"), "utf8");
const example = readFileSync(path.join(root, ".env.example"), "utf8");

/** Folders of the image, what only other commands read, and what is for tests. */
const ELSEWHERE = [
  "COVE_DATA_DIR",
  "COVE_SKILLS_DIR",
  "COVE_BUILD_DIR",
  "COVE_TOKEN",
  "COVE_CONFORMANCE",
].concat("DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH");

test("docker-compose.yml knows every setting of .env.example", () => {
  const settings = [...example.matchAll(/^# (\w+)=/gm)].map((match) => match[1] ?? "");
  expect(settings.length).toBeGreaterThan(40);
  const handedOn = Object.keys(parse(text, { merge: true }).services.app.environment);
  const known = [...handedOn, ...ELSEWHERE, ...[...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1])];
  expect(settings.filter((name) => !known.includes(name))).toEqual([]);
});
