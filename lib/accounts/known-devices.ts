// Browsers in which somebody has signed in before carry a signed note of it, so that strangers who guess that person's password
// can't use up their tries. It opens nothing by itself.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { deriveKey } from "../installation.ts";

export const DEVICE_SECONDS = 180 * 24 * 60 * 60;

// One browser may be several people's, or have several accounts; the one used longest ago makes room.
const MOST_ACCOUNTS = 5;
const NOTE = /^([0-9a-f-]{36})\.([\w-]{22})\.(\d{1,10})\.(\d{1,12})\.([\w-]{43})$/;

interface Account {
  id: string;
  deviceEpoch: number;
}

interface Note {
  userId: string;
  device: string;
  epoch: number;
  expires: number;
  signature: string;
}

/** This browser's id for that account, if they know each other. `notes` is what the browser sent. */
export function knownDevice(
  notes: string | undefined,
  account: Account,
  now = Date.now(),
): string | undefined {
  const note = parseNotes(notes).find(({ userId }) => userId === account.id);
  const isValid = note && note.expires * 1000 > now && note.epoch === account.deviceEpoch && isSigned(note);
  return isValid ? note.device : undefined;
}

/** What the browser is to send from now on: that account's note, written anew, and those of others. */
export function rememberDevice(notes: string | undefined, account: Account, now = Date.now()): string {
  const device = knownDevice(notes, account, now) ?? randomBytes(16).toString("base64url");
  const expires = Math.floor(now / 1000) + DEVICE_SECONDS;
  const fresh = { userId: account.id, device, epoch: account.deviceEpoch, expires };
  const others = parseNotes(notes).filter(({ userId }) => userId !== account.id);
  return [{ ...fresh, signature: sign(fresh) }, ...others.slice(0, MOST_ACCOUNTS - 1)]
    .map((note) => [note.userId, note.device, note.epoch, note.expires, note.signature].join("."))
    .join("~");
}

function parseNotes(text = ""): Note[] {
  const parts = text.split("~", MOST_ACCOUNTS);
  return parts.flatMap((part) => {
    const [, userId, device, epoch, expires, signature] = NOTE.exec(part) ?? [];
    if (!userId || !device || !signature) return [];
    return [{ userId, device, epoch: Number(epoch), expires: Number(expires), signature }];
  });
}

function isSigned(note: Note): boolean {
  return timingSafeEqual(Buffer.from(sign(note)), Buffer.from(note.signature));
}

function sign({ userId, device, epoch, expires }: Omit<Note, "signature">): string {
  const secret = env().AUTH_SECRET;
  if (!secret)
    throw new AppError("unavailable", "Devices can't be known: start the server with `npm start`.");
  const key = deriveKey(secret, "cove known devices");
  return createHmac("sha256", key).update(`${userId}\n${device}\n${epoch}\n${expires}`).digest("base64url");
}
