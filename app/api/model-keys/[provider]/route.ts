import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { removeModelKey, saveModelKey } from "#lib/models/model-keys.ts";
import { providerParams } from "../params.ts";

export const PUT = route({
  guard: requireWebUser,
  params: providerParams,
  body: z.object({
    key: z
      .string()
      .max(1000)
      .regex(/^[\x20-\x7e]*$/, "has characters that no key has"),
    baseUrl: z
      .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
      .max(1000)
      .optional(),
  }),
  handle: async ({ caller, params, body }) => {
    await saveModelKey(caller.id, params.provider, body);
    return {};
  },
});

export const DELETE = route({
  guard: requireWebUser,
  params: providerParams,
  handle: async ({ caller, params }) => {
    await removeModelKey(caller.id, params.provider);
    return {};
  },
});
