// Progress of a command: each step is a line with its time, each failure a sentence.
export interface Step {
  /** Shown while the step goes on, where there is a terminal to show it. */
  progress(text: string): void;
  /** Replaces the step's label once it is done. */
  label(text: string): void;
}

export async function step<T>(label: string, work: (step: Step) => Promise<T>): Promise<T> {
  const started = performance.now();
  let shown = label;
  transient(`  ${label} …`);
  const result = await work({
    progress: (text) => transient(`  ${label} … ${text}`),
    label: (text) => {
      shown = text;
    },
  });
  line(`✓ ${shown}  ${seconds(performance.now() - started)}`);
  return result;
}

export function line(text: string): void {
  clear();
  process.stdout.write(`${text}\n`);
}

/** Ends the command with a sentence instead of a stack trace. */
export function fail(error: unknown): never {
  clear();
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`✗ ${message.replaceAll("\n", "\n  ")}\n`);
  process.exit(1);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function transient(text: string): void {
  if (!process.stdout.isTTY) return;
  clear();
  process.stdout.write(text.replaceAll(/\s+/g, " ").slice(0, (process.stdout.columns ?? 80) - 1));
}

function clear(): void {
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
}
