export type SearchParams = Record<string, string | string[] | undefined>;

/** What an address says once; twice is a mistake and counts as nothing. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
}
