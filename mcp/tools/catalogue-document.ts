// The catalogue as clients read it: plain JSON, with schemas as JSON Schema. Made once; the tools never change while running.
import { z } from "zod";
import { catalogue } from "./catalogue.ts";

export const catalogueDocument = catalogue.map(
  ({ name, title, description, input, output, annotations }) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }),
    outputSchema: z.toJSONSchema(output),
    annotations,
  }),
);
