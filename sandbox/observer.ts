// Who wants to know where the time goes and what happens; metrics and traces fit. The package itself keeps neither.

/** What a call does on its way: waits for a place, has the sandbox woken, talks through the pipe. Metrics bear these names. */
type Stage = "line" | "wake" | "pipe";

type SandboxEvent =
  | "warm_claimed"
  | "created"
  | "pipe_opened"
  | "pipe_lost"
  | "egress_allowed"
  | "egress_denied";

export type Observer = {
  around<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  count(event: SandboxEvent): void;
};

export const nobodyWatches: Observer = { around: (_stage, work) => work(), count() {} };
