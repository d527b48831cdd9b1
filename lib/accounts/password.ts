// Passwords are kept as Argon2id in the usual PHC form, so that costs can be raised later without losing old hashes.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../app-error.ts";
import { perProcess } from "../per-process.ts";

const derive = promisify(argon2);
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await digest(password, { nonce, ...COST, tagLength: 32 });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, hash] = PHC.exec(stored) ?? [];
  if (!nonce || !hash) return false;
  const expected = Buffer.from(hash, "base64");
  const actual = await digest(password, {
    nonce: Buffer.from(nonce, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

let decoy: Promise<string> | undefined;

/** Spends the time of a real check, so that an unknown e-mail answers no faster than a wrong password. */
export async function pretendToVerify(password: string): Promise<false> {
  decoy ??= hashPassword("nobody has this password");
  await verifyPassword(password, await decoy);
  return false;
}

function digest(password: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
  // The same password typed on two keyboards may arrive composed differently.
  return inTurn(() => derive("argon2id", { ...parameters, message: password.normalize("NFKC") }));
}

// Each takes 19 MB and one of the four threads that files and names are waiting for, too.
const MOST_AT_ONCE = 2;
const MOST_WAITING = 200;
const line = perProcess<{ running: number; waiting: (() => void)[] }>("password line");

/** A flood of sign-ins waits in a line of its own, and past its end is told so, rather than holding everything else up. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const now = line.get(() => ({ running: 0, waiting: [] }));
  if (now.waiting.length >= MOST_WAITING) {
    throw new AppError("rate_limited", "Too many people sign in at this moment. Try again in a moment.", {
      retryAfterSeconds: 10,
    });
  }
  if (now.running >= MOST_AT_ONCE) await new Promise<void>((resolve) => now.waiting.push(resolve));
  else now.running++;
  try {
    return await work();
  } finally {
    const next = now.waiting.shift();
    if (next) next();
    else now.running--;
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
