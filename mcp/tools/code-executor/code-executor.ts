// The names of an older, widely used server, for clients that were taught them. Each does what a tool of ours does.
import type { Tool } from "../tool.ts";
import { appendToCodeFile } from "./append-to-code-file.ts";
import { checkInstalledPackages } from "./check-installed-packages.ts";
import { configureEnvironment } from "./configure-environment.ts";
import { executeCode } from "./execute-code.ts";
import { executeCodeFile } from "./execute-code-file.ts";
import { getEnvironmentConfig } from "./get-environment-config.ts";
import { initializeCodeFile } from "./initialize-code-file.ts";
import { readCodeFile } from "./read-code-file.ts";

export const codeExecutor: readonly Tool[] = [
  executeCode,
  initializeCodeFile,
  appendToCodeFile,
  readCodeFile,
  executeCodeFile,
  checkInstalledPackages,
  configureEnvironment,
  getEnvironmentConfig,
];
