// What the agent is told. A placeholder until the prompt that MCP clients get is there to be used.

export async function agentInstructions(): Promise<string> {
  return `You work in the user's private Linux sandbox through your tools. Plan briefly, then act. Write files for longer work.
Read errors, install what is missing with install_dependencies, and retry with a change. When asked for a function, write a
test first. Put results in /workspace/outputs, show the result and name the files you made.`;
}
