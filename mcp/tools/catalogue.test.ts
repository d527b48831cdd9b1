import { expect, test } from "vitest";
import { catalogue } from "./catalogue.ts";
import { catalogueDocument, documentOf } from "./catalogue-document.ts";
import { codeExecutor } from "./code-executor/code-executor.ts";

test.each(documentOf("code-executor").map((tool) => [tool.name, tool]))(
  "what a model sees of %s changes only on purpose",
  async (name, tool) => {
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`__snapshots__/${name}.json`);
  },
);

test("the order is fixed, and no name appears twice", () => {
  expect(catalogue.map(({ name }) => name)).toEqual([
    "execute_bash",
    "execute_python",
    "reset_session",
    "check_execution",
    "stop_execution",
    "read_file",
    "write_file",
    "edit_file",
    "list_files",
    "read_docstring",
    "install_dependencies",
    "list_installed_packages",
    "list_artifacts",
    "get_artifact",
    "list_skills",
    "read_skill",
    "run_agent",
    "sandbox_info",
  ]);
});

test("the names of the older server follow ours, for those who ask for them", () => {
  expect(documentOf(undefined)).toBe(catalogueDocument);
  expect(
    documentOf("code-executor")
      .slice(catalogue.length)
      .map(({ name }) => name),
  ).toEqual([
    "execute_code",
    "initialize_code_file",
    "append_to_code_file",
    "read_code_file",
    "execute_code_file",
    "check_installed_packages",
    "configure_environment",
    "get_environment_config",
  ]);
});

test("a tool that only reads says so, and is not on record", () => {
  for (const { name, annotations, recorded } of [...catalogue, ...codeExecutor]) {
    if (annotations.readOnlyHint)
      expect([name, recorded, annotations.destructiveHint]).toEqual([name, false, false]);
  }
});
