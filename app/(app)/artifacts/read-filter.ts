import { z } from "zod";
import { KINDS } from "#lib/artifacts/describe-type.ts";
import { SORTS } from "#lib/artifacts/list-artifacts.ts";

const shape = z.object({
  kind: z.enum(KINDS).optional().catch(undefined),
  door: z.string().max(20).optional().catch(undefined),
  conversation: z.uuid().optional().catch(undefined),
  q: z.string().trim().max(200).optional().catch(undefined),
  sort: z.enum(SORTS).optional().catch(undefined),
});

export type GalleryFilter = z.infer<typeof shape>;

/** What the address asks for; what makes no sense is as good as missing. */
export function readFilter(params: Record<string, string | string[] | undefined>): GalleryFilter {
  return shape.parse(params);
}
