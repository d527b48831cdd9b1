/** How the console's menus look. */
export const MENU = "z-40 max-h-[70dvh] w-60 overflow-y-auto rounded-lg border bg-surface p-1 shadow-lg";
export const MENU_ITEM =
  "flex h-8 w-full items-center gap-2.5 rounded px-2 text-left text-sm outline-none data-highlighted:bg-hover max-md:h-10";
