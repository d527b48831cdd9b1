// A server that a test can kill: opens ann's sandbox, starts a command in it, says so on stdout and waits.

import Docker from "dockerode";
import { dockerEngine, memoryOwnership, openSandboxes } from "#sandbox/index.ts";

const { command, ...options } = JSON.parse(process.argv[2] ?? "{}");
const ownership = memoryOwnership();
const sandboxes = await openSandboxes({
  ...options,
  engine: dockerEngine({ docker: new Docker() }),
  ownership,
});
const sandbox = await sandboxes.open("ann");
await sandbox.run("echo kept > /workspace/note");
void sandbox.run(command, {
  executionId: "the-run",
  keep: true,
  onOutput: async () => console.log(JSON.stringify(await ownership.list())),
});
