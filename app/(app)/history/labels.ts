// What doors, changes and outcomes are called on the page. The tools say it themselves, see tool-labels.ts.
export const DOORS: Record<string, string> = {
  chat: "Chat",
  console: "Console",
  mcp: "MCP",
  rest: "REST",
  openai: "OpenAI API",
  web: "Web",
};

/** What people do by hand is on record like any tool. */
export const CHANGES: Record<string, string> = {
  upload_file: "Upload",
  save_file: "Save file",
  make_folder: "New folder",
  move_file: "Move",
  delete_files: "Delete files",
  save_skill: "Save skill",
  delete_skill: "Delete skill",
};

/** As they can end. */
export const OUTCOMES: Record<string, string> = {
  completed: "Done",
  failed: "Failed",
  timeout: "Timed out",
  oom: "Out of memory",
  cancelled: "Stopped",
  interrupted: "Interrupted",
};

export const TIMES: Record<string, { label: string; ms: number }> = {
  "1h": { label: "Last hour", ms: 3_600_000 },
  "1d": { label: "Last 24 hours", ms: 24 * 3_600_000 },
  "7d": { label: "Last 7 days", ms: 7 * 24 * 3_600_000 },
  "30d": { label: "Last 30 days", ms: 30 * 24 * 3_600_000 },
  "90d": { label: "Last 90 days", ms: 90 * 24 * 3_600_000 },
};

export function doorLabel(door: string): string {
  return DOORS[door] ?? door;
}
