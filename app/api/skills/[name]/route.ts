import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { limitRate } from "#lib/rate-limit.ts";
import { readInstructions } from "#lib/skills/read-skill.ts";
import { skillView } from "../skill-view.ts";

export const GET = route({
  guard: requireToken,
  params: z.object({ name: z.string().max(200) }),
  handle: async ({ caller, params }) => {
    limitRate(caller.id);
    const { skill, body, content } = await readInstructions(caller.id, params.name);
    return { ...skillView(skill), body, content };
  },
});
