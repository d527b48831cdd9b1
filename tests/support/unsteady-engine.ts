// The real engine behind a client that a test can make fail: before it asks, or after the engine has done as it was told.

import Docker from "dockerode";

export type Fault = { when: "before" | "after"; error: Error };

export function unsteadyEngine() {
  const docker = new Docker();
  const dial = docker.modem.dial.bind(docker.modem);
  let faultOf: (path: string) => Fault | undefined = () => undefined;
  docker.modem.dial = (options, callback) => {
    const fault = faultOf(options.path);
    if (fault?.when === "before") setImmediate(() => callback?.(fault.error, null));
    else dial(options, (error, data) => callback?.(fault?.error ?? error, data));
  };
  return {
    docker,
    /** Without one, everything works again. */
    fail(next: (path: string) => Fault | undefined = () => undefined) {
      faultOf = next;
    },
  };
}

/** What a client hears while the engine is being restarted. */
export const away: Fault = {
  when: "before",
  error: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
};
