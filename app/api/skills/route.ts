import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { skillsOf } from "#lib/skills/skills.ts";
import { skillView } from "./skill-view.ts";

export const GET = route({
  guard: requireToken,
  handle: async ({ caller }) => ({ skills: (await skillsOf(caller.id)).map(skillView) }),
});
