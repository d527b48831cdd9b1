// An authority of the test's own with a certificate for an engine on loopback and one for its client, in the files and by the
// names that Docker uses.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";

/** Fills `engine/` and `client/` below the folder. */
export async function makeCertificates(folder: string) {
  const places = { engine: join(folder, "engine"), client: join(folder, "client") };
  await mkdir(places.engine, { recursive: true });
  await mkdir(places.client, { recursive: true });
  const openssl = (...args: string[]) => hostCommand("openssl", args);
  const authority = join(folder, "authority.key");
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const ca = join(places.engine, "ca.pem");
  await openssl("req", "-x509", ...key, "-keyout", authority, "-out", ca, "-subj", "/CN=test authority");
  await openssl("x509", "-in", ca, "-out", join(places.client, "ca.pem"));
  for (const [place, extensions] of [
    [places.engine, "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth"],
    [places.client, "extendedKeyUsage=clientAuth"],
  ] as const) {
    const [request, extra] = [join(folder, "request.pem"), join(folder, "extensions")];
    await writeFile(extra, extensions);
    const own = join(place, "key.pem");
    await openssl("req", ...key, "-keyout", own, "-out", request, "-subj", "/CN=127.0.0.1");
    const signed = ["-CA", ca, "-CAkey", authority, "-CAcreateserial", "-extfile", extra];
    await openssl("x509", "-req", "-in", request, ...signed, "-out", join(place, "cert.pem"));
    // The server in an image is not the user that made them.
    await hostCommand("chmod", ["a+r", own]);
  }
  return places;
}
