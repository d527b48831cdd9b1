// Who owns an installation's id, written down at the engine itself: whoever finds another owner there leaves everything
// of that id alone. It is a labelled volume with nothing in it, which every engine can keep and only one can make first.

import { z } from "zod";
import type { InstallationOwner } from "../engine/engine.ts";
import { installationLabel } from "./container-spec.ts";
import type { DockerClient } from "./docker-client.ts";

const Owner: z.ZodType<InstallationOwner> = z.object({
  system: z.string(),
  database: z.string(),
  placedAt: z.string().optional(),
  directory: z.string().optional(),
  host: z.string().optional(),
});

const OWNER_LABEL = "cove.owner";

/** Resolves to whose it is now: somebody else's, if they came first. */
export async function recordOwner(
  client: DockerClient,
  installation: string,
  owner: InstallationOwner,
): Promise<InstallationOwner> {
  const Labels = {
    [installationLabel]: installation,
    "cove.role": "owner",
    [OWNER_LABEL]: JSON.stringify(owner),
  };
  const options = { Name: volumeName(installation), Labels };
  await client.call((abortSignal) => client.docker.createVolume({ ...options, abortSignal }));
  const volume = client.docker.getVolume(options.Name);
  const details = await client.call((abortSignal) => volume.inspect({ abortSignal }));
  return Owner.parse(JSON.parse(details.Labels?.[OWNER_LABEL] ?? "null"));
}

export async function forgetOwner(client: DockerClient, installation: string): Promise<void> {
  const volume = client.docker.getVolume(volumeName(installation));
  await client.call((abortSignal) => volume.remove({ abortSignal }), { toleratedCodes: [404] });
}

function volumeName(installation: string): string {
  return `cove-${installation}-owner`;
}
