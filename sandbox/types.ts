// What goes into a sandbox and what comes out of it, in the words the rest of Cove uses.

import type { DenialReason } from "./egress/refusal.ts";

type ExecutionStatus = "running" | "completed" | "failed" | "timeout" | "oom" | "cancelled" | "interrupted";

export type OutputChunk = { stream: "stdout" | "stderr"; data: Buffer };

export type RunOptions = {
  /** Made up when missing; hand one in to find the execution again after a crash. */
  executionId?: string;
  /** Relative paths are under /workspace. */
  cwd?: string;
  /** Added to the sandbox's environment; `null` takes a variable away. */
  env?: Record<string, string | null>;
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  timeoutMs?: number;
  /** SIGTERM first and so long to obey; without it the tree is killed at once. */
  graceMs?: number;
  /** Ends the execution; the result is `cancelled`. */
  signal?: AbortSignal;
  /** Called in order; while a returned promise is pending no more output is asked for. */
  onOutput?: (chunk: OutputChunk) => void | Promise<void>;
  /** Called once it has a place and begins. */
  onBegin?: () => void;
  /** Return at once with `running`; `attach` takes it from there. */
  background?: boolean;
  /** Return with `running` and the output so far after this long; the execution goes on. */
  waitMs?: number;
  /** Keep the finished execution in the sandbox until `collect`, so a crash before it is recorded loses nothing. */
  keep?: boolean;
};

export type AttachOptions = Pick<RunOptions, "onOutput" | "waitMs" | "keep"> & {
  /** Stops waiting, not the execution. */
  signal?: AbortSignal;
};

/** As for a command, in a session that lasts. Interrupted cells have `graceMs` to stop before their session is ended. */
export type PythonOptions = Omit<RunOptions, "cwd" | "env" | "stdin"> & {
  /** Letters, digits, - and _; "default" if missing. */
  session?: string;
};

export type RunResult = Partial<PythonOutcome> & {
  executionId: string;
  status: ExecutionStatus;
  exitCode: number | null;
  /** Name of the signal that ended the shell, such as "SIGKILL". */
  signal: string | null;
  /** Head and tail, with a line between them that says how much is missing where output was cut. */
  stdout: Buffer;
  stderr: Buffer;
  truncated: boolean;
  omitted: { stdout: number; stderr: number };
  durationMs: number;
  /** Processor time of all it ran, and the most memory that one process of it had; null where nobody can tell. */
  cpuMs: number | null;
  memoryBytes: number | null;
  /** What the command left running. */
  strays: Stray[];
  /** What it, or anything else in the sandbox meanwhile, was not allowed to reach. Once each. */
  deniedHosts: DeniedHost[];
  /** Files of the workspace that it, or anything else meanwhile, created or changed: outputs first, then the latest. */
  changes: FileChange[];
  /** There were more than are listed. */
  changesTruncated: boolean;
};

/** Hidden files, environments and packages aside. `path` is absolute, with bytes that aren't UTF-8 as in any name. */
export type FileChange = { path: string; size: number; modifiedMs: number };

export type PythonResult = RunResult & PythonOutcome;

/** What a cell adds to the result of any execution. */
export type PythonOutcome = {
  session: string;
  /** A session of this name existed before and its variables are gone: this cell began with none. */
  restarted: boolean;
  /** What was displayed, in order; the value of the last expression is among it. */
  results: RichResult[];
  /** The exception that ended the cell. Its traceback is in `stderr`. */
  error?: PythonError;
  /** What to do about it, if that is known. */
  hint?: string;
};

export type RichResult = {
  mime: ResultMime;
  /** The value of the cell's last expression, rather than something it displayed. */
  value: boolean;
  /** The plain text form of what `text` or `data` shows richly. */
  plain?: string;
} & (
  | { text: string; data?: undefined }
  | {
      /** Images that aren't text. Their bytes are whatever code put there. */ data: Buffer;
      text?: undefined;
    }
);

export type ResultMime =
  | "text/plain"
  | "text/html"
  | "text/markdown"
  | "text/latex"
  | "application/json"
  | "image/png"
  | "image/jpeg"
  | "image/svg+xml"
  // Figures as data: whoever shows them draws them.
  | "application/vnd.plotly.v1+json"
  | "application/vnd.vegalite.v6+json"
  | "application/vnd.vega.v6+json";

type PythonError = {
  type: string;
  message: string /** The one that wasn't found. */;
  module?: string;
};

export type Stray = { pid: number; name: string };

/** `message` is a sentence that says what to do instead. */
export type DeniedHost = { host: string; port: number; reason: DenialReason; message: string };

type FileType = "file" | "directory" | "symlink" | "other";

/** Names may hold bytes that aren't UTF-8; they are kept as lone surrogates (see names.ts) and survive a round trip. */
export type FileEntry = {
  name: string;
  type: FileType;
  size: number;
  modifiedMs: number;
  mode: number;
  /** Where a symlink points, as written in it. */
  target?: string;
};

export type FilePage = {
  entries: FileEntry[] /** Hand it to the next call; missing on the last page. */;
  next?: string;
};

export type SandboxLimits = {
  timeoutMs: number;
  maxTimeoutMs: number;
  /** Bytes of each of stdout and stderr kept from the beginning and from the end. */
  outputHead: number;
  outputTail: number;
  /** Bytes of a cell's rich results, all together. */
  resultBytes: number;
  /** Largest file `files.read` holds in memory. */
  maxReadBytes: number;
  /** How many executions may go on without anybody waiting for them before another is refused to start that way. */
  backgroundExecutions: number;
};

export const defaultLimits: SandboxLimits = {
  timeoutMs: 30_000,
  maxTimeoutMs: 600_000,
  outputHead: 256 * 1024,
  outputTail: 256 * 1024,
  resultBytes: 8 * 1024 * 1024,
  maxReadBytes: 64 * 1024 * 1024,
  backgroundExecutions: 16,
};

export type ExecutionSummary = {
  executionId: string;
  status: ExecutionStatus;
  ageMs: number;
  strays: number;
};

export type SessionSummary = {
  name: string;
  busy: boolean;
  /** Cells that wait for the ones before them. */
  waiting: number;
  ageMs: number;
  idleMs: number;
  /** Its share: what several sessions have in common is divided among them. */
  memoryBytes: number | null;
};

export type SandboxInfo = {
  /** Changes when the daemon, and so the machine, was started anew. */
  bootId: string;
  uptimeMs: number;
  /** Processes other than the daemon, its spare and the relays. */
  processes: number;
  /** Nothing runs and no execution is unfinished: it can be paused. */
  idle: boolean;
  executions: ExecutionSummary[];
  /** Python sessions. One that is idle doesn't keep the sandbox from resting, which pauses or ends it. */
  sessions: SessionSummary[];
  memoryBytes: number | null;
  memoryLimitBytes: number | null;
  cpuMs: number | null;
  pids: number | null;
  disk: DiskUsage | null;
  tmp: DiskUsage | null;
};

export type DiskUsage = { totalBytes: number; freeBytes: number; totalInodes: number; freeInodes: number };
