import { z } from "zod";
import { artifactView } from "./artifact-view.ts";
import { defineTool } from "./tool.ts";

export const getArtifact = defineTool({
  name: "get_artifact",
  title: "Get an artifact",
  description: `Shows one artifact: a small picture as it is, anything else as a resource and an address to download it from, which works
without signing in for a day. Give the address to people who want the file.`,
  input: z.object({ id: z.uuid() }),
  output: artifactView,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Look at an artifact", icon: "wrench", open: false },
  async run({ id }, { artifacts }) {
    const { artifact, picture } = await artifacts.get(id);
    const { path, mime, size, url } = artifact;
    const text = `${path} (${mime}, ${size} bytes)\n${url}`;
    if (picture) return { structured: artifact, text, images: [{ mime, data: picture }] };
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { structured: artifact, text, links: [{ uri: `artifact://${id}`, name, mime, size }] };
  },
});
