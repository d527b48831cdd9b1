import { env } from "#env.ts";

const MB = 2 ** 20;

export interface ArtifactLimits {
  fileBytes: number;
  runFiles: number;
  runBytes: number;
  /** All versions of everything a user has. */
  userBytes: number;
  /** How long a run's files may take to be copied. */
  patienceMs: number;
}

export function artifactLimits(): ArtifactLimits {
  return {
    fileBytes: 100 * MB,
    runFiles: 50,
    runBytes: 500 * MB,
    userBytes: env().COVE_ARTIFACTS_SIZE,
    patienceMs: 60_000,
  };
}
