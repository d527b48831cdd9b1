// What the package wants from a logger; pino fits, and so does `console` with a small wrapper.

export type Logger = Record<"debug" | "info" | "warn" | "error", (details: object, message: string) => void>;

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
