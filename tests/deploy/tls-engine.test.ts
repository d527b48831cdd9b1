// An engine on another machine, reached over TLS: a second dockerd on loopback, with certificates of the test's own.

import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connectEngine, engineVersion } from "#sandbox/docker/connect-engine.ts";
import { dockerEngine } from "#sandbox/index.ts";
import { freePort } from "#scripts/free-port.ts";
import { makeCertificates } from "../support/certificates.ts";
import { newInstallation } from "../support/installation.ts";
import { type OwnEngine, startOwnEngine } from "../support/own-engine.ts";
import { testSandboxes } from "../support/sandboxes.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { shell } from "../support/shell.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const common = new Docker();
let folder: string;
let certificates: Awaited<ReturnType<typeof makeCertificates>>;
let engine: OwnEngine;
let address: string;

beforeAll(async () => {
  folder = await temporaryDirectory();
  certificates = await makeCertificates(folder);
  address = `tcp://127.0.0.1:${await freePort()}`;
  const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((file) => join(certificates.engine, file));
  const tls = ["--tlsverify", `--tlscacert=${ca}`, `--tlscert=${cert}`, `--tlskey=${key}`];
  engine = await startOwnEngine(["--host", address, ...tls]);
  await engine.load(common, inject("images").sandbox);
}, 300_000);

afterAll(async () => {
  await engine?.remove();
  await rm(folder, { recursive: true });
}, 120_000);

test("sandboxes work on it, before and after a stop", async () => {
  const docker = connectEngine(address, certificates.client);
  const all = await testSandboxes(
    { engine: dockerEngine({ docker }), disk: { bytes: 64 * 2 ** 20, reserveBytes: 0, quota: "soft" } },
    await newInstallation(engine.docker, inject("images").sandbox),
  );
  try {
    expect(await all.sh("ann", "echo hello > note && cat note")).toBe("hello");
    const sandbox = await all.sandboxes.open("ann");
    expect((await sandbox.python("1 + 1")).results).toMatchObject([{ text: "2" }]);
    await sandbox.files.write("large", Buffer.alloc(4 * 2 ** 20, 1));
    await all.sandboxes.stop("ann");
    expect(await all.sh("ann", "cat note; stat -c %s large")).toBe("hello\n4194304");
  } finally {
    await all.cleanUp();
  }
});

test("an engine that another authority signed is not trusted", async () => {
  const others = await makeCertificates(join(folder, "others"));
  await expect(engineVersion(connectEngine(address, others.client))).rejects.toThrow(
    /The Docker engine's certificate is not to be trusted \(.+\): is ca\.pem the authority that signed it\?/,
  );
});

test("an engine under another name than its certificate's is told", async () => {
  const elsewhere = connectEngine(address.replace("127.0.0.1", "localhost"), certificates.client);
  await expect(engineVersion(elsewhere)).rejects.toThrow("certificate is for another name");
});

test("with a certificate it doesn't know, and without TLS, the sentence says what is missing", async () => {
  const others = await makeCertificates(join(folder, "unknown"));
  await copyFile(join(certificates.client, "ca.pem"), join(others.client, "ca.pem"));
  await expect(engineVersion(connectEngine(address, others.client))).rejects.toThrow(
    "The Docker engine refuses our certificate",
  );
  await expect(engineVersion(connectEngine(address))).rejects.toThrow(
    "The Docker engine answers over TLS only: set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH.",
  );
});

test("the single container signs a person in and runs code on it, as uid 1000 and behind one port", async () => {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const container = await common.createContainer({
    Image: inject("images").single,
    Env: [
      `PORT=${port}`,
      `DOCKER_HOST=${address}`,
      "DOCKER_TLS_VERIFY=1",
      "DOCKER_CERT_PATH=/engine",
      "COVE_WARM_POOL=0",
      "COVE_SANDBOX_DISK=64m",
    ],
    HostConfig: {
      // The test's engine listens on this host's loopback only.
      NetworkMode: "host",
      Binds: [`${certificates.client}:/engine:ro`],
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
    },
  });
  try {
    expect((await container.inspect()).Config.User).toBe("1000:1000");
    await container.start();
    const health = async () => (await fetch(`${url}/health`).catch(() => undefined))?.status;
    await expect.poll(health, { timeout: 90_000 }).toBe(200);
    const cove = `docker exec ${container.id} node scripts/cove.ts`;
    await shell(`${cove} user add ada@example.com --password 'a long password'`);
    await sessionCookie(url, "ada@example.com");
    const token = await shell(`${cove} token create ada@example.com --name laptop`);
    const ran = await fetch(`${url}/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "execute_python", arguments: { code: "print(6 * 7)" } }),
    });
    expect(await ran.json()).toMatchObject({ status: "completed", stdout: "42\n" });
    expect((await container.logs({ stdout: true })).toString()).toMatch(/Quota {4}soft/);
    await container.stop({ t: 45 });
    expect((await container.inspect()).State.ExitCode).toBe(0);
  } finally {
    await container.remove({ force: true, v: true });
  }
}, 180_000);
