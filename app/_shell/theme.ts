export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = "cove.theme";

/** The theme the person chose. A cookie, so that the server's first paint is already right. */
export function readTheme(cookies: { get(name: string): { value: string } | undefined }): Theme {
  const chosen = cookies.get(THEME_COOKIE)?.value;
  return THEMES.find((theme) => theme === chosen) ?? "system";
}
