// The Python package in /tools, in the sandbox image and as code in a sandbox uses it.
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPackage } from "#lib/skills/tools-index.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { root } from "../support/cove.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { type Certificate, type Site, selfSigned, site, testLookup } from "../support/sites.ts";

let all: TestSandboxes;
let ann: Sandbox;
let certificate: Certificate;
let plain: Site;
let secure: Site;
const asked: string[] = [];

beforeAll(async () => {
  certificate = await selfSigned("secure.test");
  plain = await site((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const times = asked.filter((line) => line.endsWith(request.url ?? "")).length;
    if (request.url === "/busy" && times < 3) return response.writeHead(503, { "Retry-After": "0" }).end();
    if (request.url === "/broken" && times < 2) return request.socket.destroy();
    if (request.url === "/missing") return response.writeHead(404).end("nothing");
    if (request.url === "/always-busy") return response.writeHead(500).end();
    return response.end(`plain ${request.url}`);
  });
  secure = await site((_request, response) => response.end('{"safe": true}'), certificate);
  all = await testSandboxes({
    folders: { tools: path.join(root, "tools") },
    limits: { memoryBytes: 512 * 2 ** 20 },
    egress: {
      mode: "off",
      allow: [`plain.test:${plain.port}`, `secure.test:${secure.port}`],
      lookup: testLookup,
      dnsLookup: testLookup,
    },
    presets: { ca: certificate.cert },
  });
  ann = await all.sandboxes.open("ann");
});
afterAll(async () => {
  await all?.cleanUp();
  for (const { close } of [plain, secure]) await close();
});

/** What a cell prints, or what went wrong. */
async function prints(code: string): Promise<string> {
  const { status, stdout, stderr } = await ann.python(code, { timeoutMs: 60_000 });
  return status === "completed" ? String(stdout).trim() : `${status}: ${stderr}`;
}

test("it can be imported in cells, scripts, from anywhere, and in an environment of the user's", async () => {
  expect(await prints("import tools; from tools import read_table; print(tools.__file__)")).toMatch(
    /\/tools\/__init__\.py$/,
  );
  expect(await all.sh("ann", "cd / && python3 -c 'import tools; print(len(tools.__all__))'")).toBe("12");
  expect(
    await all.sh(
      "ann",
      "python3 -m venv --system-site-packages --without-pip /tmp/v && /tmp/v/bin/python -c 'import tools; print(1)'",
    ),
  ).toBe("1");
  expect(await all.sh("ann", "touch /tools/x; rm /tools/web.py; ls /tools | wc -l")).toMatch(
    /^6\n.*Read-only file system\n.*Read-only file system$/,
  );
});

test("the index in the prompt is what Python itself says of it", async () => {
  const said = await prints(`
import ast, json, pathlib, tools
found = {}
for file in sorted(pathlib.Path("/tools").glob("*.py")):
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            text = f"tools.{node.name}({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")
        elif isinstance(node, ast.ClassDef):
            text = f"tools.{node.name}"
        else:
            continue
        found[node.name] = {"name": text, "description": (ast.get_docstring(node) or "").split("\\n")[0], "file": str(file)}
print(json.dumps([found[name] for name in tools.__all__]))`);
  // Quotes and spaces around defaults are a matter of taste.
  const flat = (text: string) => text.replaceAll("'", '"').replaceAll(/ ?= ?/g, "=");
  const index = await readPackage(path.join(root, "tools"));
  expect(index.map((entry) => ({ ...entry, name: flat(entry.name) }))).toEqual(
    JSON.parse(said).map((entry: { name: string }) => ({ ...entry, name: flat(entry.name) })),
  );
  expect(index.every(({ description }) => /^[A-Z].{20,}\.$/.test(description))).toBe(true);
});

test("tables of every kind are read, whatever their dialect", async () => {
  expect(
    await prints(`
import bz2, gzip, lzma, sqlite3, zipfile, pandas as pd
from pathlib import Path
from tools import read_table
frame = pd.DataFrame({"city": ["Graz", "Köln"], "amount": [1.5, 2.5]})
frame.to_csv("a.csv", index=False)
frame.to_csv("b.tsv", sep="\\t", index=False)
Path("c.csv").write_bytes("city;amount\\nGraz;1,5\\nKöln;2,5\\n".encode("cp1252"))
Path("d.csv").write_bytes(frame.to_csv(index=False, sep="|").encode("utf-16"))
frame.to_csv("e.csv.gz", index=False)
frame.to_excel("f.xlsx", index=False)
frame.to_json("g.json", orient="records")
frame.to_json("h.jsonl", orient="records", lines=True)
frame.to_html("i.html", index=False)
frame.to_xml("j.xml", index=False)
with sqlite3.connect("k.db") as database: frame.to_sql("t", database, index=False)
Path("l.csv").write_text("\\ufeffcity,amount\\nGraz,1.5\\nKöln,2.5\\n")
names = "a.csv b.tsv c.csv d.csv e.csv.gz f.xlsx g.json h.jsonl i.html j.xml k.db l.csv".split()
for name in list(names):
    for packing, module in {"gz": gzip, "bz2": bz2, "xz": lzma}.items():
        with module.open(f"{name}.{packing}", "wb") as packed: packed.write(Path(name).read_bytes())
    with zipfile.ZipFile(f"{name}.zip", "w") as archive: archive.write(name)
    if name != "e.csv.gz": names += [f"{name}.{packing}" for packing in ("gz", "bz2", "xz", "zip")]
for name in names:
    try:
        assert read_table(name).equals(frame), read_table(name)
    except Exception as error:
        print(name, repr(error))
assert read_table("f.xlsx", sheet="Sheet1").equals(frame)
print("done")`),
  ).toBe("done");
  expect(await prints('read_table("x.docx")')).toMatch(/\.docx is not a table format/);
  expect(await prints('open("x.parquet", "w"); read_table("x.parquet")')).toMatch(
    /need pyarrow: install it with install_dependencies/,
  );
  expect(await prints('open("x.csv.zst", "w"); read_table("x.csv.zst")')).toMatch(
    /need zstandard: install it with install_dependencies/,
  );
  const two =
    'import zipfile\nwith zipfile.ZipFile("two.csv.zip", "w") as z: z.write("a.csv"); z.write("l.csv")';
  expect(await prints(`${two}\nread_table("two.csv.zip")`)).toMatch(/holds 2 files: unpack it/);
  expect(await prints('read_table("k.db", sheet="nope")')).toMatch(/has no table nope; it has t/);
});

test("a table is described, and asked in SQL", async () => {
  expect(
    await prints(`
import pandas as pd
from tools import profile_table, query
profile = profile_table(pd.DataFrame({"n": [3, 1, None], "s": ["a", "a", "b"], "e": [None] * 3}))
print([float(n) for n in profile.loc["n", ["missing", "distinct", "min", "max"]]], profile.loc["s", "distinct"], profile.loc["e", "example"])
print(query("select city, amount * ? as more from a join b using (city) order by city", [2], a="a.csv", b=frame[["city"]]).to_dict("list"))`),
  ).toBe("[1.0, 2.0, 1.0, 3.0] 2 None\n{'city': ['Graz', 'Köln'], 'more': [3.0, 5.0]}");
  expect(await prints('query("select * from nope")')).toMatch(/no such table: nope/);
});

test("charts come back as figures and are kept as files", async () => {
  const { results, status, stderr } = await ann.python(`
import pandas as pd
from tools import bar_chart, histogram, line_chart, save_chart, scatter_chart
t = pd.DataFrame({"x": [1, 2, 3], "a": [1, 4, 2], "b": [2, 2, 5], "k": ["u", "v", "u"]})
for number, figure in enumerate([line_chart(t, "x", ["a", "b"]), bar_chart(t, "k", "a", horizontal=True), scatter_chart(t, "a", "b", by="k"), histogram(t["a"])]):
    assert save_chart(figure, f"charts/{number}").exists()
None`);
  expect([status, String(stderr)]).toEqual(["completed", ""]);
  expect(results.map(({ mime }) => mime)).toEqual(Array(4).fill("image/png"));
  expect(await all.sh("ann", "ls outputs/charts | tr '\\n' ' '")).toBe("0.png 1.png 2.png 3.png");
});

test("text comes out of documents", async () => {
  expect(
    await prints(`
import zipfile, matplotlib.pyplot as plt
from pathlib import Path
from tools import extract_text
figure = plt.figure(); figure.text(0.1, 0.5, "A page of PDF"); figure.savefig("a.pdf"); plt.close(figure)
def archive(name, **files):
    with zipfile.ZipFile(name, "w") as made:
        for path, text in files.items(): made.writestr(path.replace("__", "/").replace("_xml", ".xml").replace("_xhtml", ".xhtml"), text)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
T = 'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
archive("a.docx", word__document_xml=f"<w:d {W}><w:p><w:r><w:t>One</w:t><w:tab/><w:t>two</w:t></w:r></w:p><w:p><w:r><w:t>Three</w:t></w:r></w:p></w:d>")
archive("a.pptx", ppt__slides__slide10_xml=f"<a:s {A}><a:p><a:t>Last</a:t></a:p></a:s>", ppt__slides__slide2_xml=f"<a:s {A}><a:p><a:t>First</a:t></a:p></a:s>")
archive("a.odt", content_xml=f"<t:d {T}><t:h>Head</t:h><t:p>Text <t:span>inside</t:span></t:p></t:d>")
archive("a.epub", c1_xhtml="<html><body><h1>Chapter</h1><script>no()</script><p>Words</p></body></html>")
Path("a.html").write_text("<style>x</style><p>Seen</p><script>unseen()</script>")
Path("a.eml").write_text("From: ada@example.com\\nSubject: Hi\\nContent-Type: text/html\\n\\n<p>Dear <b>you</b></p>")
Path("a.txt").write_bytes("Köln".encode("cp1252"))
for name in "a.pdf a.docx a.pptx f.xlsx a.odt a.epub a.html a.eml a.txt".split(): print(repr(extract_text(name)))`),
  ).toBe(
    [
      "'A page of PDF'",
      "'One\\ttwo\\nThree'",
      "'First\\n\\nLast'",
      "'# Sheet1\\ncity\\tamount\\nGraz\\t1.5\\nKöln\\t2.5'",
      "'Head\\nText inside'",
      "'Chapter\\nWords'",
      "'Seen'",
      "'From: ada@example.com\\nSubject: Hi\\n\\nDear\\nyou'",
      "'Köln'",
    ].join("\n"),
  );
  expect(await prints('open("a.bin", "w"); extract_text("a.bin")')).toMatch(/does not know \.bin files/);
  // Nothing outside the document is read because the document says so.
  expect(
    await prints(`
archive("b.docx", word__document_xml=f'<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]><w:d {W}><w:p><w:t>safe&e;</w:t></w:p></w:d>')
print(extract_text("b.docx"))`),
  ).toBe("safe");
});

test("fetch goes through the policy, tries again where that helps, and says no at once where it doesn't", async () => {
  const at = `http://plain.test:${plain.port}`;
  expect(
    await prints(
      `from tools import fetch, NotAllowed\nprint(fetch("${at}/a").text, fetch("https://secure.test:${secure.port}/").json())`,
    ),
  ).toBe("plain /a {'safe': True}");
  expect(await prints(`print(fetch("${at}/busy").text, fetch("${at}/broken").text)`)).toBe(
    "plain /busy plain /broken",
  );
  expect(asked.filter((line) => line === "GET /busy")).toHaveLength(3);
  expect(await prints(`fetch("${at}/missing")`)).toMatch(/HTTPError: 404/);
  expect(asked.filter((line) => line === "GET /missing")).toHaveLength(1);
  // What changes something is sent once.
  expect(await prints(`fetch("${at}/always-busy", method="POST")`)).toMatch(/HTTPError: 500/);
  expect(asked.filter((line) => line === "POST /always-busy")).toHaveLength(1);
  expect(await prints('fetch("http://forbidden.test/")')).toMatch(/NotAllowed: .*forbidden\.test/);
  expect(await prints('fetch("https://forbidden.test/")')).toMatch(/NotAllowed: .*forbidden\.test.*\(\w+\)/);
});

test("read_docstring's way of reading works on it", async () => {
  const { readDocstring } = await import("#mcp/tools/read-docstring.ts");
  const { structured } = await readDocstring.run(
    { file_path: "/tools/tables.py", function_name: "read_table" },
    { sandbox: ann } as never,
  );
  expect(structured).toMatchObject({
    signature: expect.stringMatching(/^read_table\(path: str \| Path/),
    docstring: expect.stringMatching(/^Read a table file into a DataFrame/),
  });
});
