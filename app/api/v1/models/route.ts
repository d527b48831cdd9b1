import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { listModels } from "#lib/models/list-models.ts";
import { openAiError } from "../error-body.ts";

/** What is really reachable, in OpenAI's shape. */
export const GET = route({
  guard: requireToken,
  errorBody: openAiError,
  handle: async ({ caller }) => {
    const { models } = await listModels(caller.id);
    const data = models.map(({ id }) => ({
      id,
      object: "model",
      created: 0,
      owned_by: id.split("/", 1)[0],
    }));
    return { object: "list", data };
  },
});

const wrong = wrongMethod("GET", openAiError);

export { wrong as DELETE, wrong as PATCH, wrong as POST, wrong as PUT };
