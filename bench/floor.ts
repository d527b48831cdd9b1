// The floor under every command: what fork and exec cost here, in the same container, without us.

import type { BenchContext } from "./context.ts";
import type { Spread } from "./measure.ts";

export type Floor = Record<"true" | "bash", Spread>;

export function measureFloor({ withSandboxes }: BenchContext): Promise<Floor> {
  return withSandboxes({}, async ({ sandboxes }) => {
    const sandbox = await sandboxes.open("ann");
    const { stdout } = await sandbox.run(`python3 -S - <<'CODE'\n${script}\nCODE`, { timeoutMs: 60_000 });
    return JSON.parse(stdout.toString());
  });
}

const script = `
import json, os, time
def measure(*argv):
    times = []
    for _ in range(500):
        started = time.perf_counter()
        os.waitpid(os.posix_spawn(argv[0], argv, os.environ), 0)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return {"median": times[250], "p10": times[50], "p90": times[450], "p95": times[475], "p99": times[495], "samples": 500}
print(json.dumps({"true": measure("/bin/true"), "bash": measure("/bin/bash", "-c", "true")}))`;
