// The older server's tools for Python's packages and environments.
import { z } from "zod";
import { listInstalledPackages } from "../list-installed-packages.ts";
import { defineTool } from "../tool.ts";

export const checkInstalledPackages = defineTool({
  ...listInstalledPackages,
  name: "check_installed_packages",
  title: "Check Python packages",
  description:
    "Says whether the given packages can be imported, by package or import name, and in which version.",
  input: z.object({ packages: z.array(z.string().min(1).max(200)).min(1).max(200) }),
});

export const configureEnvironment = defineTool({
  name: "configure_environment",
  title: "Choose the Python environment",
  description: `Switches to a Python environment of the given type, making it if there is none of that name. Commands use it at once,
sessions for what they import next. Environments of the user are kept beside each other; uv and conda are there only where the
sandbox image has them.`,
  input: z.object({
    type: z.enum(["venv", "uv", "conda"]),
    conda_name: z.string().min(1).max(200).optional().describe("Name of the environment, for conda."),
    venv_path: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Its last part names the environment, for venv."),
    uv_venv_path: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Its last part names the environment, for uv."),
  }),
  output: z.object({ name: z.string(), type: z.string(), path: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: true,
  presentation: { title: "Choose environment", icon: "package", open: false },
  async run({ type, conda_name, venv_path, uv_venv_path }, { sandbox: { packages } }) {
    const given = { conda: conda_name, venv: venv_path, uv: uv_venv_path }[type];
    // Where others say .venv, the name is venv: hidden folders are no environments here.
    const name =
      given
        ?.split("/")
        .findLast((part) => part !== "")
        ?.replace(/^\.+/, "") || type;
    const known = (await packages.environments()).some((one) => one.name === name && one.type === type);
    if (!known) await packages.make(name, type);
    const structured = await packages.use(name);
    return { structured, text: `Python now uses the environment ${structured.name} in ${structured.path}.` };
  },
});

export const getEnvironmentConfig = defineTool({
  name: "get_environment_config",
  title: "Show the Python environments",
  description:
    "Lists the user's Python environments and says which one is in use. Until one was chosen there may be none.",
  input: z.object({}),
  output: z.object({
    environments: z.array(
      z.object({ name: z.string(), type: z.string(), path: z.string(), active: z.boolean() }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "List environments", icon: "wrench", open: false },
  async run(_input, { sandbox }) {
    const environments = await sandbox.packages.environments();
    return { structured: { environments }, text: JSON.stringify(environments, null, 2) };
  },
});
