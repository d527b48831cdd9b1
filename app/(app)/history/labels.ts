// What doors, tools and outcomes are called on the page.
export const DOORS: Record<string, string> = {
  chat: "Chat",
  console: "Console",
  mcp: "MCP",
  rest: "REST",
  openai: "OpenAI API",
  web: "Web",
};

/** Everything that is ever on record: tools, those of the older server's set, and changes made by hand. */
export const TOOLS: Record<string, string> = {
  execute_bash: "Shell",
  execute_python: "Python",
  write_file: "Write file",
  edit_file: "Edit file",
  install_dependencies: "Install packages",
  reset_session: "Reset session",
  run_agent: "Agent",
  execute_code: "Python program",
  execute_code_file: "Python file",
  initialize_code_file: "Begin code file",
  append_to_code_file: "Append to code file",
  configure_environment: "Choose environment",
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

export function toolLabel(tool: string): string {
  return TOOLS[tool] ?? tool;
}

export function doorLabel(door: string): string {
  return DOORS[door] ?? door;
}
