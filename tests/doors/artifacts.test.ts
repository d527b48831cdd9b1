import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { type Artifact, madeArtifacts } from "../support/made-artifacts.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { sessionCookie } from "../support/session-cookie.ts";

const own = ownCove();
let ada: Caller;
let bob: Caller;
let cookie: string;

beforeAll(async () => {
  [ada, bob] = [await own.caller(), await own.caller()];
  cookie = await sessionCookie(own.cove.url, ada.email);
});

describe("a run", () => {
  test("has its files as artifacts, with addresses that need no account", async () => {
    const { body } = await ada.execute("execute_bash", { command: "mkdir -p d; printf hello > d/a.txt" });
    expect(body.artifacts).toEqual([
      {
        id: expect.any(String),
        path: "/workspace/d/a.txt",
        mime: "text/plain",
        size: 5,
        url: expect.stringMatching(
          /^http:\/\/localhost:\d+\/artifacts\/[\w-]+\/a\.txt\?expires=\d+&signature=/,
        ),
      },
    ]);
    const answer = await fetch(body.artifacts[0].url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("hello");
  });

  test("that makes the same again names the same artifact, other contents a new one", async () => {
    const write = async (text: string) => (await made(`printf ${text} > same.txt`))[0]?.id;
    const first = await write("one");
    expect(await write("one")).toBe(first);
    expect(await write("two")).not.toBe(first);
  });

  test("of Python has its figures and tables as artifacts, in the order of results", async () => {
    const code = `import matplotlib.pyplot as plt, pandas as pd
plt.plot([1, 2]); plt.show()
pd.DataFrame({"a": [1]}).to_csv("table.csv")
pd.DataFrame({"a": [1]})`;
    const { body } = await ada.execute("execute_python", { code });
    expect(body.results).toEqual([
      { mime: "image/png", artifact_id: expect.any(String) },
      { mime: "text/html", text: expect.stringContaining("<table"), artifact_id: expect.any(String) },
    ]);
    const paths = body.artifacts.map(({ path }: Artifact) => path);
    expect(paths).toEqual(["figure-1.png", "table-1.html", "/workspace/table.csv"]);
    const picture = await bytesOf(body.artifacts[0]);
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    const checked = await ada.execute("check_execution", { execution_id: body.execution_id });
    expect(checked.body.artifacts.map(({ path }: Artifact) => path)).toEqual(paths);
  });

  test("in the background has them when it is over", async () => {
    const command = "sleep 0.5; echo late > late.txt";
    const { body: begun } = await ada.execute("execute_bash", { command, background: true });
    const { body } = await ada.execute("check_execution", { execution_id: begun.execution_id });
    expect(body.artifacts).toMatchObject([{ path: "/workspace/late.txt", size: 5 }]);
    await expect
      .poll(async () => (await gallery("?query=late.txt")).items, { timeout: 30_000 })
      .toMatchObject([{ path: "/workspace/late.txt", version: 1, executionId: begun.execution_id }]);
  });

  test("is told which files were too large to be kept", async () => {
    const { body } = await ada.execute("execute_bash", {
      command: "truncate -s 200G huge.bin; echo 1 > small",
    });
    expect(body.artifacts.map(({ path }: Artifact) => path)).toEqual(["/workspace/small"]);
    expect(body.artifacts_skipped).toMatch(/huge\.bin \(larger than 100 MB\)/);
    const checked = await ada.execute("check_execution", { execution_id: body.execution_id });
    expect(checked.body.artifacts_skipped).toBe(body.artifacts_skipped);
    await ada.execute("execute_bash", { command: "rm huge.bin" });
  });

  test("keeps files with any name, and serves them", async () => {
    const names = [
      `q"uo'te.txt`,
      "per%cent%41.txt",
      "日本 語.txt",
      "-n",
      "a;b,c=d.txt",
      "#hash?.txt",
      "a+b.txt",
    ];
    const quoted = names.map((name) => `'./${name.replaceAll("'", `'\\''`)}'`).join(" ");
    const command = `for f in ${quoted} $'./new\\nline' $'./\\xff\\xfe'; do printf content > "$f"; done`;
    const artifacts = await made(command);
    expect(artifacts).toHaveLength(names.length + 2);
    for (const artifact of artifacts) {
      const answer = await fetch(artifact.url);
      expect([artifact.path, answer.status, await answer.text()]).toEqual([artifact.path, 200, "content"]);
    }
    const [chosen] = artifacts.filter(({ path }) => path.includes("日本"));
    const disposition = (await fetch(chosen?.url ?? "")).headers.get("content-disposition");
    expect(disposition).toContain("filename*=UTF-8''%E6%97%A5%E6%9C%AC%20%E8%AA%9E.txt");
  });
});

test("files that tools write are artifacts, too", async () => {
  await ada.execute("write_file", { file_path: "written/by-tool.txt", content: "one" });
  await ada.execute("edit_file", { file_path: "written/by-tool.txt", old_text: "one", new_text: "two" });
  await ada.execute("write_file", { file_path: ".hidden", content: "no" });
  await ada.execute("write_file", { file_path: "/tmp/elsewhere", content: "no" });
  const { items } = await gallery("?query=by-tool");
  expect(items).toMatchObject([{ path: "/workspace/written/by-tool.txt", version: 2, preview: "two" }]);
  expect((await gallery("?query=hidden")).items).toEqual([]);
});

describe("pages", () => {
  test("list, pack and delete, each only the own", async () => {
    const artifacts = await made("mkdir -p zip; echo 1 > zip/one.txt; echo 2 > zip/two.txt");
    const ids = artifacts.map(({ id }) => id);
    const zip = await fetch(`${own.cove.url}/api/artifacts/zip?ids=${ids.join(",")}`, {
      headers: { cookie },
    });
    expect(zip.headers.get("content-type")).toBe("application/zip");
    const packed = Buffer.from(await zip.arrayBuffer()).toString("latin1");
    expect(packed).toContain("zip/one.txt");
    const remove = (headers: Record<string, string>) =>
      fetch(`${own.cove.url}/api/artifacts`, {
        method: "DELETE",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ ids }),
      });
    const foreign = await sessionCookie(own.cove.url, bob.email);
    expect(await (await remove({ cookie: foreign })).json()).toEqual({ deleted: 0 });
    expect((await remove({ authorization: `Bearer ${ada.token}` })).status).toBe(401);
    expect(await (await remove({ cookie })).json()).toEqual({ deleted: 2 });
    expect((await gallery("?query=zip/")).items).toEqual([]);
    expect((await fetch(artifacts[0]?.url ?? "")).status).toBe(404);
  });

  test("are refused what makes no sense", async () => {
    for (const query of ["?kind=nonsense", "?cursor=nonsense", "?limit=0", "?conversation=x", "?sort=up"]) {
      const answer = await fetch(`${own.cove.url}/api/artifacts${query}`, { headers: { cookie } });
      expect([query, answer.status]).toEqual([query, 400]);
    }
    for (const query of ["", "?ids=", "?ids=x"]) {
      const answer = await fetch(`${own.cove.url}/api/artifacts/zip${query}`, { headers: { cookie } });
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });
});

describe("over MCP", () => {
  let client: Client;
  beforeAll(async () => {
    client = await mcpClient(own.cove.url, ada.token);
    return () => client.close();
  });

  test("they are listed in pages, shown and read by address", async () => {
    const [text] = await made("echo some text > over-mcp.txt");
    const listed = await client.callTool({ name: "list_artifacts", arguments: { limit: 1 } });
    const page = listed.structuredContent as { artifacts: Artifact[]; next?: string };
    expect(page.artifacts).toMatchObject([{ id: text?.id, path: "/workspace/over-mcp.txt", version: 1 }]);
    const further = await client.callTool({
      name: "list_artifacts",
      arguments: { limit: 1, cursor: page.next },
    });
    expect((further.structuredContent as typeof page).artifacts[0]?.id).not.toBe(text?.id);

    const shown = await client.callTool({ name: "get_artifact", arguments: { id: text?.id } });
    expect(shown.content).toMatchObject([
      { type: "text", text: expect.stringContaining("signature=") },
      { type: "resource_link", uri: `artifact://${text?.id}`, name: "over-mcp.txt", mimeType: "text/plain" },
    ]);
    const { contents } = await client.readResource({ uri: `artifact://${text?.id}` });
    expect(contents).toMatchObject([{ mimeType: "text/plain", text: "some text\n" }]);
  });

  test("a small picture is in the answer itself", async () => {
    const code = "import matplotlib.pyplot as plt\nplt.plot([1]); plt.savefig('shown.png'); plt.close()";
    const { structuredContent } = await client.callTool({ name: "execute_python", arguments: { code } });
    const [picture] = (structuredContent as { artifacts: Artifact[] }).artifacts;
    const { content } = await client.callTool({ name: "get_artifact", arguments: { id: picture?.id } });
    expect(content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }]);
  });

  test("somebody else's are unknown", async () => {
    const { body } = await bob.execute("execute_bash", { command: "echo secret > secret.txt" });
    const [{ id }] = body.artifacts;
    const refused = await client.callTool({ name: "get_artifact", arguments: { id } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: "There is no such artifact." }] });
    await expect(client.readResource({ uri: `artifact://${id}` })).rejects.toThrow("no such resource");
    await expect(client.readResource({ uri: "artifact://../../etc" })).rejects.toThrow("no such resource");
  });
});

const made = (command: string) => madeArtifacts(ada, command);

async function bytesOf({ url }: Artifact): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
async function gallery(query: string): Promise<any> {
  const answer = await fetch(`${own.cove.url}/api/artifacts${query}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return answer.json();
}
