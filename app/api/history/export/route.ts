import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { EXPORT_FORMATS, exportRuns } from "#lib/history/export-runs.ts";

const MOST = 200;
const query = z.object({
  format: z.enum(EXPORT_FORMATS),
  ids: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.uuid()).min(1).max(MOST)),
});

/** `?format=py&ids=…,…`: a file to save, so that a plain link does it. */
export const GET = route({
  guard: requireUser,
  handle: async ({ caller, request }) => {
    const parameters = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parameters.success) {
      throw new AppError(
        "bad_request",
        `Name a format (${EXPORT_FORMATS.join(", ")}) and up to ${MOST} ids.`,
      );
    }
    const { text, mime, name } = await exportRuns(caller.id, parameters.data.ids, parameters.data.format);
    return new Response(text, {
      headers: {
        "content-type": mime,
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "no-store",
      },
    });
  },
});
