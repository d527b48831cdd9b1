import { AppError } from "#lib/app-error.ts";
import { readSkill } from "#lib/skills/read-skill.ts";
import { skillsOf } from "#lib/skills/skills.ts";
import type { ResourceKind } from "#mcp/serve-resources.ts";

/** `skill://{name}/SKILL.md`, and beside it the files it mentions. */
export function skillResources(userId: string): ResourceKind {
  return {
    scheme: "skill",
    template: {
      uriTemplate: "skill://{name}/{+path}",
      name: "skill",
      title: "Skill",
      description: "Instructions for a kind of work (SKILL.md), and the files they mention.",
      mimeType: "text/markdown",
    },
    async list() {
      const skills = await skillsOf(userId);
      return skills.map(({ name, description }) => ({
        uri: `skill://${name}/SKILL.md`,
        name,
        description,
        mimeType: "text/markdown",
      }));
    },
    async read(uri) {
      const [, name = "", path = ""] = /^skill:\/\/([a-z0-9-]{1,64})\/(.+)$/.exec(uri) ?? [];
      // The skill's own file goes by its standard name, however it is spelled.
      const file = path === "SKILL.md" ? undefined : decode(path);
      if (!name || file === null) return undefined;
      try {
        const { content } = await readSkill(userId, name, file);
        return { mimeType: file && !file.endsWith(".md") ? "text/plain" : "text/markdown", text: content };
      } catch (error) {
        if (error instanceof AppError && (error.code === "not_found" || error.code === "bad_request"))
          return undefined;
        throw error;
      }
    },
  };
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
