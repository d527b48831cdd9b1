import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EnvError, parseEnv, VARIABLES } from "./env.ts";

describe("the environment", () => {
  test("needs no variable at all", () => {
    const env = parseEnv({});
    expect(env).toMatchObject({
      PORT: 3000,
      COVE_URL: "http://localhost:3000",
      COVE_SIGNUP: "open",
      COVE_EGRESS: "packages",
      COVE_SANDBOX_MEMORY: 1024 ** 3,
    });
    expect(env.COVE_DATA_DIR).toMatch(/\/\.data$/);
  });

  test("treats an empty line as not set", () => {
    expect(parseEnv({ PORT: "", COVE_EGRESS_ALLOW: "" }).PORT).toBe(3000);
  });

  test("derives the address from the port", () => {
    expect(parseEnv({ PORT: "8080" }).COVE_URL).toBe("http://localhost:8080");
    expect(parseEnv({ COVE_URL: "https://cove.example/" }).COVE_URL).toBe("https://cove.example");
  });

  test.each([
    [{}, true],
    [{ COVE_LISTEN: "::1" }, true],
    [{ COVE_URL: "http://127.0.0.1:8080" }, true],
    [{ COVE_LISTEN: "0.0.0.0" }, false],
    // Through a proxy on this machine.
    [{ COVE_URL: "https://cove.example" }, false],
    [{ COVE_URL: "https://localhost.example" }, false],
  ])("knows whether anybody from elsewhere gets in: %o", (given, expected) => {
    expect(parseEnv(given).loopbackOnly).toBe(expected);
  });

  test("reads sizes and lists", () => {
    const env = parseEnv({ COVE_SANDBOX_DISK: "1.5g", COVE_EGRESS_ALLOW: "a.example, b.example:8443" });
    expect(env.COVE_SANDBOX_DISK).toBe(1.5 * 1024 ** 3);
    expect(env.COVE_EGRESS_ALLOW).toEqual(["a.example", "b.example:8443"]);
  });

  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["COVE_URL", "cove.example"],
    ["COVE_URL", "https://example.com/cove"],
    ["COVE_URL", "https://me:secret@example.com"],
    ["COVE_SKILLS_DIR", "/nowhere/at/all"],
    ["DATABASE_URL", "mysql://db"],
    ["AUTH_SECRET", "short"],
    ["COVE_SIGNUP", "maybe"],
    ["COVE_MODEL", "gpt-5"],
    ["COVE_SANDBOX_MEMORY", "lots"],
    ["COVE_SANDBOX_MEMORY", "1m"],
    ["COVE_EGRESS", "some"],
    ["COVE_EGRESS_ALLOW", "a.example,,b"],
    ["COVE_TIMEOUT", "900"],
    ["COVE_IDLE_PAUSE", "-1"],
    ["DOCKER_HOST", "localhost"],
    ["DOCKER_TLS_VERIFY", "maybe"],
    ["DOCKER_CERT_PATH", "/nowhere/at/all"],
  ])("a wrong %s (%s) is refused by name", (name, value) => {
    expect(() => parseEnv({ [name]: value })).toThrow(EnvError);
    expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`^${name} must`, "m"));
  });

  test("an engine over TLS needs its three certificates, and has them wherever Docker's own client looks", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "cove-certificates-"));
    const tls = {
      DOCKER_HOST: "tcp://engine.example:2376",
      DOCKER_TLS_VERIFY: "1",
      DOCKER_CERT_PATH: folder,
    };
    expect(() => parseEnv(tls)).toThrow("DOCKER_CERT_PATH must hold ca.pem, cert.pem, key.pem");
    for (const file of ["ca.pem", "cert.pem", "key.pem"]) writeFileSync(path.join(folder, file), "");
    expect(parseEnv(tls).DOCKER_CERT_PATH).toBe(folder);
    expect(parseEnv({ ...tls, DOCKER_TLS_VERIFY: undefined }).DOCKER_CERT_PATH).toBe(folder);
    expect(parseEnv({ ...tls, DOCKER_HOST: "unix:///run/x.sock" }).DOCKER_CERT_PATH).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  test("names the half that is missing of an OAuth pair", () => {
    expect(() => parseEnv({ AUTH_GITHUB_ID: "x" })).toThrow(
      "AUTH_GITHUB_SECRET must be set too, since AUTH_GITHUB_ID is.",
    );
  });

  test("never repeats a value, which may be a secret", () => {
    expect(() => parseEnv({ AUTH_SECRET: "hunter2" })).toThrow(/^(?!.*hunter2)/s);
  });

  test("reports every wrong variable at once", () => {
    expect(() => parseEnv({ PORT: "x", COVE_EGRESS: "y" })).toThrow(/PORT[\s\S]*COVE_EGRESS/);
  });

  test("is described in .env.example, variable by variable, and so is what compose takes", () => {
    const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
    const named = (file: string, pattern: RegExp) =>
      [...read(file).matchAll(pattern)].map(([, name]) => name);
    const described = named(".env.example", /^# ([A-Z_]+)=/gm);
    const wanted = new Set([...VARIABLES, ...named("docker-compose.yml", /\$\{(COVE_[A-Z_]+)/g)]);
    expect(described.toSorted()).toEqual([...wanted].toSorted());
  });
});
