// How each client is told about Cove. Every client calls the server `cove`.
export interface Setup {
  id: string;
  name: string;
  /** Where the text goes, or what it is. */
  place: string;
  text: string;
}

const NO_TOKEN = "YOUR_TOKEN";

export function setups(address: string, token = NO_TOKEN): Setup[] {
  const url = `${address}/api/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      place: "In a terminal",
      text: `claude mcp add --transport http cove ${url} --header "Authorization: Bearer ${token}"`,
    },
    {
      id: "claude-desktop",
      name: "Claude Desktop",
      place: "In claude_desktop_config.json (Settings → Developer → Edit Config)",
      text: json({
        mcpServers: {
          cove: {
            command: "npx",
            args: [
              "-y",
              "mcp-remote",
              url,
              ...plainHttp(address),
              "--header",
              "Authorization:$" + "{COVE_AUTH}",
            ],
            env: { COVE_AUTH: headers.Authorization },
          },
        },
      }),
    },
    {
      id: "cursor",
      name: "Cursor",
      place: "In ~/.cursor/mcp.json, or .cursor/mcp.json of a project",
      text: json({ mcpServers: { cove: { url, headers } } }),
    },
    {
      id: "vs-code",
      name: "VS Code",
      place: "In .vscode/mcp.json, or with “MCP: Open User Configuration”",
      text: json({ servers: { cove: { type: "http", url, headers } } }),
    },
    {
      id: "sdk",
      name: "MCP SDK",
      place: "TypeScript, with @modelcontextprotocol/client",
      text: sdk(url, token),
    },
    {
      id: "curl",
      name: "curl",
      place: "In a terminal; every tool by its name",
      text: `curl ${address}/execute \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "execute_bash", "arguments": {"command": "echo hello from Cove"}}'`,
    },
  ];
}

function sdk(url: string, token: string): string {
  return `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "my-program", version: "1.0.0" });
const headers = { Authorization: "Bearer ${token}" };
await client.connect(new StreamableHTTPClientTransport(new URL("${url}"), { requestInit: { headers } }));

const result = await client.callTool({ name: "execute_python", arguments: { code: "print(6 * 7)" } });
console.log(result.content);
await client.close();`;
}

/** mcp-remote wants to be told that an address without https is meant. */
function plainHttp(address: string): string[] {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && hostname !== "localhost" ? ["--allow-http"] : [];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
