import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The SDK's own client at a Cove's door; with a revision, one that speaks no other. */
export async function mcpClient(
  url: string,
  token: string,
  { toolset, revision }: { toolset?: string; revision?: string } = {},
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } },
  );
  const address = new URL(`${url}/api/mcp`);
  if (toolset !== undefined) address.searchParams.set("toolset", toolset);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}
