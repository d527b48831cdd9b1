// Being told to stop: the stage under way ends, what was begun is undone, and no further stage begins.
const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());

export const interruption: AbortSignal = controller.signal;
