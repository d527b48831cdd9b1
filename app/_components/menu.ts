/** How what a menu offers looks. */
export const MENU_ITEM =
  "flex h-8 w-full items-center gap-2.5 rounded px-2 text-left text-sm outline-none data-highlighted:bg-hover max-md:h-10";
