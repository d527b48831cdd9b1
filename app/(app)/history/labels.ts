// What doors, tools and outcomes are called on the page.
export const DOORS: Record<string, string> = {
  chat: "Chat",
  console: "Console",
  mcp: "MCP",
  rest: "REST",
  openai: "OpenAI API",
  web: "Web",
};

export const TOOLS: Record<string, string> = {
  execute_bash: "Shell",
  execute_python: "Python",
  write_file: "Write file",
  edit_file: "Edit file",
  install_dependencies: "Install packages",
  reset_session: "Reset session",
  run_agent: "Agent",
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

export function toolLabel(tool: string): string {
  return TOOLS[tool] ?? tool;
}

export function doorLabel(door: string): string {
  return DOORS[door] ?? door;
}
