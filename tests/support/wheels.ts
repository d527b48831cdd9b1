// A package index for one sandbox: wheels made by hand in its workspace, and pip told to look nowhere else.
import type { Sandbox } from "#sandbox/index.ts";

export type Wheel = {
  name: string;
  version: string;
  source: string;
  requires?: string[];
  extras?: Record<string, string>;
};

export async function serveWheels(sandbox: Sandbox, wheels: Wheel[]): Promise<void> {
  await sandbox.files.write(
    "/workspace/.config/pip/pip.conf",
    "[global]\nno-index = true\nfind-links = /workspace/wheels\n",
  );
  const { status, stderr } = await sandbox.run('mkdir -p wheels && python3 -c "$MAKE"', {
    env: { MAKE: make },
    stdin: JSON.stringify(wheels),
  });
  if (status !== "completed") throw new Error(`The wheels could not be made: ${stderr}`);
}

/** The same as one command, for who reaches the sandbox through a door. */
export function wheelsCommand(wheels: Wheel[]): string {
  const encoded = (text: string) => `"$(echo ${Buffer.from(text).toString("base64")} | base64 -d)"`;
  return [
    "mkdir -p wheels .config/pip",
    "printf '[global]\\nno-index = true\\nfind-links = /workspace/wheels\\n' > .config/pip/pip.conf",
    `echo ${encoded(JSON.stringify(wheels))} | python3 -c ${encoded(make)}`,
  ].join(" && ");
}

const make = `
import json, sys, zipfile
for wheel in json.load(sys.stdin):
    module = wheel["name"].replace("-", "_")
    stem = f"{module}-{wheel['version']}"
    metadata = f"Metadata-Version: 2.1\\nName: {wheel['name']}\\nVersion: {wheel['version']}\\n"
    for needed in wheel.get("requires", ()):
        metadata += f"Requires-Dist: {needed}\\n"
    for extra, needed in wheel.get("extras", {}).items():
        metadata += f"Provides-Extra: {extra}\\nRequires-Dist: {needed}; extra == '{extra}'\\n"
    files = {
        f"{module}/__init__.py": wheel["source"],
        f"{stem}.dist-info/METADATA": metadata,
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    }
    record = "".join(f"{name},,\\n" for name in files) + f"{stem}.dist-info/RECORD,,\\n"
    with zipfile.ZipFile(f"/workspace/wheels/{stem}-py3-none-any.whl", "w") as archive:
        for name, text in {**files, f"{stem}.dist-info/RECORD": record}.items():
            archive.writestr(name, text)
`;
