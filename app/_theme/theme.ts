import { cookies } from "next/headers";
import { THEME_COOKIE, THEMES, type Theme } from "./themes.ts";

/** The theme the person chose. A cookie, so that the server's first paint is already right. */
export async function readTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(THEME_COOKIE)?.value;
  return THEMES.find((theme) => theme === chosen) ?? "system";
}
