import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { env } from "#env.ts";
import { openApiDocument } from "./document.ts";

const everyone = () => undefined;

export const GET = route({ guard: everyone, handle: () => openApiDocument(env().COVE_URL) });

const wrong = wrongMethod("GET");

export { wrong as DELETE, wrong as PATCH, wrong as POST, wrong as PUT };
