import { redirect } from "next/navigation";
import { requirePageUser } from "#app/_http/guards.ts";
import { latestConsole } from "#lib/console/consoles.ts";

/** To the console that was used last. */
export default async function ConsolesPage() {
  const user = await requirePageUser();
  redirect(`/console/${await latestConsole(user.id)}`);
}
