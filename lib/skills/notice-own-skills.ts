// When a user's own skills are looked at: soon after a run, at once when somebody asks for them.
import { queuePerKey, type Sandbox } from "#sandbox/index.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";
import { dropOwnSkills, readOwnSkills } from "./own-skills.ts";

// Runs come in rows, and one look serves all of a moment: each would cost a message through the next one's pipe.
const SOON_MS = 250;

interface DueLook {
  sandbox: Sandbox;
  timed: boolean;
}

const due = perProcess<Map<string, DueLook>>("own-skills-due");
const looks = perProcess<ReturnType<typeof queuePerKey>>("own-skills-looks");

/** After a run, which doesn't wait for it. */
export function noticeOwnSkillsSoon(userId: string, sandbox: Sandbox): void {
  const all = due.get(() => new Map());
  if (!all.get(userId)?.timed) setTimeout(() => lookUnlessStopped(userId), SOON_MS).unref();
  all.set(userId, { sandbox, timed: true });
}

/** Never fails what it comes after. */
export function noticeOwnSkills(userId: string, sandbox: Sandbox): Promise<void> {
  due.peek()?.delete(userId);
  return inOrder(userId, () =>
    readOwnSkills(userId, sandbox).catch((err) => log().warn({ err }, "a user's skills could not be read")),
  );
}

/** For a workspace that is gone. */
export function forgetOwnSkills(userId: string): Promise<void> {
  due.peek()?.delete(userId);
  return inOrder(userId, () => dropOwnSkills(userId));
}

/** Resolves when what the user's last run left has been looked at. */
export async function ownSkillsNoticed(userId: string): Promise<void> {
  const waiting = due.peek()?.get(userId);
  if (waiting) await noticeOwnSkills(userId, waiting.sandbox);
  else await inOrder(userId, async () => undefined);
}

/** A sandbox that was stopped meanwhile is not started for this; whoever asks for the skills has it looked at. */
function lookUnlessStopped(userId: string): void {
  const waiting = due.peek()?.get(userId);
  if (!waiting) return;
  waiting.timed = false;
  if (waiting.sandbox.started) void noticeOwnSkills(userId, waiting.sandbox);
}

/** Those of one user are made one after the other, so that an older look can't overwrite a newer. */
function inOrder(userId: string, work: () => Promise<void>): Promise<void> {
  return looks.get(queuePerKey)(userId, work);
}
