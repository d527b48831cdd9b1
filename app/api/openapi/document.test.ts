import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { catalogue } from "#mcp/tools/catalogue.ts";
import { openApiDocument } from "./document.ts";

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(openApiDocument("https://cove.example"));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe("3.1");
});

test("it describes every tool of the catalogue", () => {
  const text = JSON.stringify(openApiDocument("https://cove.example"));
  for (const { name } of catalogue) expect(text).toContain(`"const":"${name}"`);
});
