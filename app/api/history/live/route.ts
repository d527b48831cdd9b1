import { route } from "#app/_http/route.ts";
import { toItem } from "#app/(app)/history/tool-labels.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { liveRuns, newestRun } from "#lib/history/history.ts";

/** What runs now, and the youngest that has ended: when either changes, so does the list. */
export const GET = route({
  guard: requireUser,
  handle: async ({ caller }) => {
    const [live, newest] = await Promise.all([liveRuns(caller.id), newestRun(caller.id)]);
    return { live: live.map(toItem), newest };
  },
});
