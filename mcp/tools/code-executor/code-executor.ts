// The names of an older, widely used server, for clients that were taught them. Each does what a tool of ours does.
import type { Tool } from "../tool.ts";
import {
  appendToCodeFile,
  executeCode,
  executeCodeFile,
  initializeCodeFile,
  readCodeFile,
} from "./code-files.ts";
import { checkInstalledPackages, configureEnvironment, getEnvironmentConfig } from "./environments.ts";

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
