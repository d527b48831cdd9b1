import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { testModelKey } from "#lib/models/model-keys.ts";
import { providerParams } from "../../params.ts";

export const POST = route({
  guard: requireWebUser,
  params: providerParams,
  handle: ({ caller, params }) => testModelKey(caller.id, params.provider),
});
