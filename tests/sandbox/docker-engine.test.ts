// Docker, held to what every engine must do.
import { dockerEngine } from "#sandbox/index.ts";
import { newInstallation } from "../support/installation.ts";
import { away, unsteadyEngine } from "../support/unsteady-engine.ts";
import { engineContract } from "./engine-contract.ts";

engineContract("docker", async () => {
  const { docker, fail } = unsteadyEngine();
  const [one, other] = [await newInstallation(), await newInstallation()];
  return {
    connection: dockerEngine({ docker }),
    installations: [one, other],
    setAway: (isAway) => fail(isAway ? () => away : undefined),
    async cleanUp() {
      await one.cleanUp();
      await other.cleanUp();
    },
  };
});
