"""Installs what was asked for into the environment in use: all at once, and one by one when that fails."""

import os
import shutil
import subprocess
import sys

from cove_packages import environments
from cove_packages.listing import canonical, versions

LONGEST_REASON = 500


def install(specs):
    """`specs` are pairs of a distribution's name and what to give to the installer."""
    home = environments.active()
    before = versions()
    tool = _tool(home)
    failure = _run(tool + [spec["install"] for spec in specs])
    failures = {}
    if failure is not None:
        alone = len(specs) == 1
        for spec in specs:
            failures[spec["install"]] = failure if alone else _run(tool + [spec["install"]])
    after = versions()
    packages = [_outcome(spec, failures.get(spec["install"]), before, after) for spec in specs]
    failed = any(package["outcome"] == "failed" for package in packages)
    return {"environment": environments.ACTIVE, "packages": packages, "failed": failed}


def _tool(home):
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--python", home + "/bin/python", "--"]
    quiet = ["--no-input", "--progress-bar", "off", "--no-warn-script-location", "--disable-pip-version-check"]
    return [home + "/bin/python", "-m", "pip", "install", *quiet, "--"]


def _run(command):
    """Nothing, or why it failed. What the tool says goes to stderr as it says it."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PIP_REQUIRE_VIRTUALENV": "1"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        errors="replace",
    )
    complaints, last = [], ""
    for line in process.stdout:
        sys.stderr.write(line)
        sys.stderr.flush()
        last = line.strip() or last
        # pip shouts, uv doesn't.
        if line[:6].lower() == "error:":
            complaints.append(line[6:].strip())
    if process.wait() == 0:
        return None
    return (" ".join(complaints) or last or f"{command[0]} ended with {process.returncode}")[:LONGEST_REASON]


def _outcome(spec, failure, before, after):
    name = canonical(spec["name"])
    version = after.get(name)
    package = {"requested": spec["requested"], "name": spec["name"], "version": version}
    if failure is not None or version is None:
        reason = failure or "The installer reported success, but the package isn't there."
        return {**package, "outcome": "failed", "reason": reason}
    return {**package, "outcome": "present" if before.get(name) == version else "installed"}
