// Every row of the table, in its order.
import type { Row } from "./row.ts";
import { download, gallery, keeping, noticing } from "./rows/artifacts.ts";
import { concurrentCommands, resumeFromPause, warmCommand } from "./rows/commands.ts";
import { consoleCell } from "./rows/console.ts";
import { crowd } from "./rows/crowd.ts";
import { oneMegabyte } from "./rows/files.ts";
import { firstToken } from "./rows/first-token.ts";
import { history } from "./rows/history.ts";
import { mcpCall, mcpCrowd, mcpList, mcpMillion, mcpOverhead } from "./rows/mcp.ts";
import { flood, idleMemory } from "./rows/memory.ts";
import { manyUsers, manyUsersWait, newSession, warmCell } from "./rows/python.ts";
import { newUser, stoppedSandbox } from "./rows/starts.ts";
import { transfers } from "./rows/transfers.ts";

export const rows: Row[] = [
  ...[warmCommand, concurrentCommands, newUser, stoppedSandbox, resumeFromPause],
  ...[idleMemory, oneMegabyte, flood, warmCell, newSession, manyUsers, manyUsersWait, crowd],
  ...[firstToken, history, noticing, keeping, gallery, download, transfers, consoleCell],
  ...[mcpCall, mcpCrowd, mcpList, mcpOverhead, mcpMillion],
];
