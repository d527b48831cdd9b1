// Skills through every door that shows them: REST, MCP's tools, resources and prompt. One list behind all.

import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { switchSkill } from "#db/queries/skills.ts";
import { type Caller, newCaller, ownCove } from "../support/caller.ts";
import { databaseOf, userIdOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { skillMd } from "../support/zips.ts";
