// A file there and back, against the engine's own copy.

import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dockerCli } from "../context.ts";
import { contest, time } from "../measure.ts";
import { type Row, ratioOf } from "../row.ts";

export const oneMegabyte: Row = {
  name: "1-MB-file",
  what: "1 MB written and read back, against `docker cp` both ways",
  bar: { atMost: 0.25 },
  unit: "×",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      const container = await containerOf("ann");
      const data = randomBytes(2 ** 20);
      const folder = await mkdtemp(join(tmpdir(), "cove-bench-"));
      await writeFile(join(folder, "there"), data);
      const result = await contest(
        samples,
        () =>
          time(async () => {
            await sandbox.files.write("/workspace/ours", data);
            const back = await sandbox.files.read("/workspace/ours");
            if (!back.equals(data)) throw new Error("The file came back different.");
          }),
        () =>
          time(async () => {
            await dockerCli("cp", join(folder, "there"), `${container}:/workspace/theirs`);
            await dockerCli("cp", `${container}:/workspace/theirs`, join(folder, "back"));
          }),
      );
      await rm(folder, { recursive: true });
      return ratioOf(result);
    }),
};
