import { requireWebUser } from "#app/_http/guards.ts";
import { readBytes } from "#app/_http/read-body.ts";
import { route } from "#app/_http/route.ts";
import { addSkillFromZip } from "#lib/files/change-skills.ts";

const MOST_BYTES = 10 * 2 ** 20;

export const POST = route({
  guard: requireWebUser,
  handle: async ({ caller, request }) => {
    const zip = await readBytes(request, MOST_BYTES, "A skill is at most 10 MB.");
    return { name: await addSkillFromZip(caller.id, zip) };
  },
});
