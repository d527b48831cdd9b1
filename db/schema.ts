// Every table, by topic.

export * from "./schema/agent-turns.ts";
export * from "./schema/artifacts.ts";
export * from "./schema/audit.ts";
export * from "./schema/consoles.ts";
export * from "./schema/conversations.ts";
export * from "./schema/egress.ts";
export * from "./schema/executions.ts";
export * from "./schema/installation.ts";
export * from "./schema/messages.ts";
export * from "./schema/model-keys.ts";
export * from "./schema/people.ts";
export * from "./schema/sandboxes.ts";
export * from "./schema/skills.ts";
