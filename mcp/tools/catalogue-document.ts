// The catalogue as clients read it: plain JSON, with schemas as JSON Schema. Made once; the tools never change while running.
import { z } from "zod";
import { catalogue, TOOLSETS, type Toolset } from "./catalogue.ts";
import type { Annotations, Tool } from "./tool.ts";

export interface ToolDocument {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: Annotations;
}

export const catalogueDocument: readonly ToolDocument[] = catalogue.map(toDocument);

const toolsetDocuments = new Map(
  Object.entries(TOOLSETS).map(([name, tools]) => [name, [...catalogueDocument, ...tools.map(toDocument)]]),
);

export function documentOf(toolset: Toolset | undefined): readonly ToolDocument[] {
  return (toolset && toolsetDocuments.get(toolset)) ?? catalogueDocument;
}

function toDocument({ name, title, description, input, output, annotations }: Tool): ToolDocument {
  const inputSchema = z.toJSONSchema(input, { io: "input" });
  return { name, title, description, inputSchema, outputSchema: z.toJSONSchema(output), annotations };
}
