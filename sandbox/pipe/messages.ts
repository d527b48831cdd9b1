// Reads what the daemon says. It runs beside hostile code, so every field is checked before it is believed.
import { PipeError } from "../errors.ts";

export type Message = Record<string, unknown>;

export function violation(what: string): PipeError {
  return new PipeError("protocol_violation", `The sandbox's daemon broke the protocol: ${what}.`);
}

export function parseMessage(payload: Buffer): Message {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString("utf8"));
  } catch (cause) {
    throw new PipeError("protocol_violation", "The sandbox's daemon sent a message that is not JSON.", {
      cause,
    });
  }
  return object(value, "message");
}

export function object(value: unknown, name: string): Message {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw violation(`${name} is not an object`);
  return value as Message;
}

export function text(message: Message, key: string, longest = 8192): string {
  const value = message[key];
  if (typeof value !== "string" || value.length > longest) throw violation(`${key} is not a short text`);
  return value;
}

export function count(message: Message, key: string): number {
  const value = message[key];
  if (typeof value !== "number" || !(value >= 0) || value > Number.MAX_SAFE_INTEGER)
    throw violation(`${key} is not a count`);
  return value;
}

export function countOrNull(message: Message, key: string): number | null {
  return message[key] === null || message[key] === undefined ? null : count(message, key);
}

export function truth(message: Message, key: string): boolean {
  const value = message[key];
  if (typeof value !== "boolean") throw violation(`${key} is neither true nor false`);
  return value;
}

export function oneOf<const T extends readonly string[]>(
  message: Message,
  key: string,
  allowed: T,
): T[number] {
  const value = message[key];
  if (typeof value !== "string" || !allowed.includes(value)) throw violation(`${key} has an unknown value`);
  return value;
}

export function list(message: Message, key: string, longest: number): unknown[] {
  const value = message[key];
  if (!Array.isArray(value) || value.length > longest)
    throw violation(`${key} is not a list of at most ${longest}`);
  return value;
}
