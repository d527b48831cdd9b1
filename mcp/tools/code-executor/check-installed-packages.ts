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
