// The REST door in OpenAPI 3.1, made from the same schemas that the door itself checks against.

import type { DescribedPath } from "#app/doors.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import packageJson from "#package.json" with { type: "json" };

type Schema = Record<string, unknown>;

export function openApiDocument(url: string): Schema {
  return {
    openapi: "3.1.0",
    info: {
      title: "Cove",
      version: packageJson.version,
      description: packageJson.description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      Object.entries(operations).map(([path, item]) => [path.replaceAll(/:(\w+)/g, "{$1}"), item]),
    ),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token from Settings → API tokens." },
      },
      parameters: { IdempotencyKey: idempotencyKey },
      responses: { Error: json("What went wrong, in a sentence", ref("Error")) },
      schemas: {
        Error: error,
        Health: healthState,
        Skills: skills,
        SkillBody: skillBody,
        Tools: tools,
        Call: call,
        Result: result,
      },
    },
  };
}

const health = {
  operationId: "getHealth",
  summary: "Whether Cove, its database and its sandboxes are well",
  responses: {
    200: json("All is well", ref("Health")),
    503: json("Something is down", ref("Health")),
  },
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same key with the same request is one run, however often it is sent.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const execute = {
  parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
  requestBody: { required: true, content: { "application/json": { schema: ref("Call") } } },
};

const stream = {
  operationId: "executeStream",
  summary: "The same, told as it happens; a client that goes away stops its run",
  responses: {
    200: {
      description: "Events `stdout` and `stderr` with `{text}`, then `result` or `error`",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    default: { $ref: "#/components/responses/Error" },
  },
};

const skillName = { name: "name", in: "path", required: true, schema: { type: "string", maxLength: 64 } };
const text = { type: "string" };
const texts = { type: "array", items: text };
const skill = {
  name: text,
  description: text,
  version: { type: ["string", "null"] },
  dependencies: texts,
  license: { type: ["string", "null"] },
  compatibility: { type: ["string", "null"] },
  allowed_tools: texts,
  source: { enum: ["built-in", "own"] },
  path: text,
  warnings: texts,
};
const skills = object({ skills: { type: "array", items: object(skill) } });
const skillBody = object({ ...skill, body: text, content: text });

const contents = {
  operationId: "getArtifact",
  summary: "The contents of an artifact, whole or in part; a signed link needs no token",
  parameters: [
    ...["id", "name"].map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...["expires", "signature"].map((name) => ({ name, in: "query", schema: { type: "string" } })),
  ],
  responses: {
    200: { description: "All of it", content: { "*/*": {} } },
    206: { description: "The range that was asked for", content: { "*/*": {} } },
    default: { $ref: "#/components/responses/Error" },
  },
};

const error = object({ error: object({ code: { type: "string" }, message: { type: "string" } }) });
const upOrDown = { enum: ["ok", "down"] };
const healthState = object({
  status: { enum: ["ok", "degraded"] },
  version: text,
  database: upOrDown,
  sandbox: upOrDown,
});
const anything = { type: "object" };
const tool = object({
  name: text,
  title: text,
  description: text,
  inputSchema: anything,
  outputSchema: anything,
  annotations: anything,
});
const tools = object({ tools: { type: "array", items: tool } });
const call = {
  oneOf: catalogueDocument.map(({ name, description, inputSchema }) => ({
    ...object({ name: { const: name }, arguments: bare(inputSchema) }),
    title: name,
    description,
    required: ["name"],
  })),
};
const result = {
  anyOf: catalogueDocument.map(({ name, outputSchema }) => ({ title: name, ...bare(outputSchema) })),
};

const operations: Record<DescribedPath, Schema> = {
  "/health": { get: { ...health, security: [] } },
  "/tools": { get: answer("getTools", "The tools, in their fixed order", ref("Tools")) },
  "/skills": { get: answer("getSkills", "The skills that are on", ref("Skills")) },
  "/skills/:name": {
    get: {
      parameters: [skillName],
      ...answer("getSkill", "One of them, with its instructions", ref("SkillBody")),
    },
  },
  "/openapi.json": { get: { ...answer("getOpenApi", "This document", { type: "object" }), security: [] } },
  "/execute": {
    post: { ...execute, ...answer("execute", "Run a tool and wait for its end", ref("Result")) },
  },
  "/execute/stream": { post: { ...execute, ...stream } },
  "/artifacts/:id/:name": { get: contents },
};

function answer(operationId: string, summary: string, schema: Schema) {
  const responses = { 200: json(summary, schema), default: { $ref: "#/components/responses/Error" } };
  return { operationId, summary, responses };
}

function json(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: Schema): Schema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** Inside a document that names its dialect once. */
function bare({ $schema: _dialect, ...schema }: Schema): Schema {
  return schema;
}
