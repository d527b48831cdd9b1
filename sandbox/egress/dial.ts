import { connect, type Socket } from "node:net";
import { formatAuthority } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Address } from "./resolve.ts";

type DialOptions = {
  addresses: Address[];
  host: string;
  port: number;
  timeoutMs: number;
  signal: AbortSignal;
};
export type Dial = (options: DialOptions) => Promise<Socket>;

/** Connects to the first of the checked addresses that answers. The name itself is never looked up again. */
export const dial: Dial = ({ addresses, host, port, timeoutMs, signal }) => {
  const site = formatAuthority(host, port);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({
      host: "checked.invalid",
      port,
      lookup: (_name, { all }, answer) => {
        if (all) answer(null, addresses);
        else answer(null, addresses[0]?.address ?? "", addresses[0]?.family);
      },
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1000,
      allowHalfOpen: true,
      noDelay: true,
    });
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      socket.off("connect", connected).off("error", failed);
      finish();
    };
    const give = (error: unknown) =>
      settle(() => {
        // Attempts at other addresses may still fail after this one was given up.
        socket.on("error", () => undefined).destroy();
        reject(error);
      });
    const abort = () => give(signal.reason);
    const late = () =>
      give(new Refusal("connect_timeout", `${site} did not answer in time: try again later.`));
    const failed = (cause: Error) =>
      give(new Refusal("connect_failed", `${site} does not take connections: check the port.`, { cause }));
    // Whoever takes the socket listens a moment later; an error until then shows as a closed socket.
    const connected = () => settle(() => resolve(socket.on("error", () => undefined)));
    const timer = setTimeout(late, timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", connected).once("error", failed);
  });
};
