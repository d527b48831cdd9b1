// The same skills seen through every door, for tests that compare them.

import type { Client } from "@modelcontextprotocol/client";
import type { Caller } from "./caller.ts";
import { mcpClient } from "./mcp-client.ts";

export interface SkillDoors {
  /** `GET /skills…`: the status and what came back. */
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at.
  get(path?: string): Promise<{ status: number; body: any }>;
  /** The names each door shows, by door. */
  names(): Promise<Record<"rest" | "tool" | "resources" | "prompt", string[]>>;
  prompt(): Promise<string>;
  mcp: Client;
  close(): Promise<void>;
}

export async function skillDoors(url: string, { token }: Pick<Caller, "token">): Promise<SkillDoors> {
  const headers = { authorization: `Bearer ${token}` };
  const mcp = await mcpClient(url, token);

  async function get(path = "") {
    const response = await fetch(`${url}/skills${path}`, { headers });
    // What never reaches the door is answered with a page.
    return { status: response.status, body: await response.json().catch(() => undefined) };
  }

  async function prompt() {
    const { messages } = await mcp.getPrompt({ name: "agent_system_prompt" });
    const content = messages[0]?.content;
    return content?.type === "text" ? content.text : "";
  }

  async function names() {
    const [rest, tool, resources, text] = await Promise.all([
      get(),
      mcp.callTool({ name: "list_skills", arguments: {} }),
      mcp.listResources(),
      prompt(),
    ]);
    const listed = (tool.structuredContent as { skills: { name: string }[] }).skills;
    const section = /<skills>([\s\S]*?)<\/skills>/.exec(text)?.[1] ?? "";
    return {
      rest: rest.body.skills.map(({ name }: { name: string }) => name),
      tool: listed.map(({ name }) => name),
      resources: resources.resources
        .map(({ uri }) => /^skill:\/\/([^/]+)\/SKILL\.md$/.exec(uri)?.[1] ?? "")
        .filter(Boolean),
      prompt: [...section.matchAll(/^- (\S+) \(/gm)].map((match) => match[1] ?? ""),
    };
  }

  return { get, names, prompt, mcp, close: () => mcp.close() };
}
