"""Installs what was asked for into the environment in use: all at once, and one by one when that fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from cove_packages import environments
from cove_packages.listing import canonical, versions

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    class Spec(TypedDict):
        requested: str
        name: str
        # What to give to the installer.
        install: str

    class Outcome(TypedDict):
        requested: str
        name: str
        version: str | None
        outcome: NotRequired[str]
        reason: NotRequired[str]

    class Report(TypedDict):
        environment: str
        packages: list[Outcome]
        failed: bool

    # Why each failed, by what was to be installed; nothing for those that didn't.
    Failures = dict[str, str | None]

LONGEST_REASON = 500


def install(specs: list[Spec]) -> Report:
    home = environments.active()
    before = versions()
    uv = shutil.which("uv")
    failures = _install_with_uv(home, uv, specs) if uv else _install_all(_pip(home), specs)
    after = versions()
    packages = [_outcome(spec, failures.get(spec["install"]), before, after) for spec in specs]
    failed = any(package["outcome"] == "failed" for package in packages)
    return {"environment": environments.ACTIVE, "packages": packages, "failed": failed}


def _install_with_uv(home: str, uv: str, specs: list[Spec]) -> Failures:
    """uv doesn't look at the system's packages: what they fulfil is left to them, and the rest gets the same versions.

    Only what can't be had with those versions gets others.
    """
    tool = [uv, "pip", "install", "--python", home + "/bin/python"]
    if not environments.sees_system(home):
        return _install_all([*tool, "--"], specs)
    # Read only where it is needed, for it takes its time.
    from cove_packages import system

    packages = system.packages()
    wanted = [spec for spec in specs if not system.fulfils(spec["install"], packages)]
    if not wanted:
        return {}
    with system.constraints(packages, without=[spec["name"] for spec in wanted]) as file:
        failures = _install_all([*tool, "--constraint", file, "--"], wanted)
    failed = [spec for spec in wanted if failures.get(spec["install"])]
    if failed:
        print("Once more, with other versions than the system's.", file=sys.stderr, flush=True)
        failures = _install_all([*tool, "--"], failed)
    return failures


def _install_all(tool: list[str], specs: list[Spec]) -> Failures:
    """Why each failed, by what was to be installed."""
    failure = _run(tool + [spec["install"] for spec in specs])
    if failure is None:
        return {}
    if len(specs) == 1:
        return {specs[0]["install"]: failure}
    return {spec["install"]: _run([*tool, spec["install"]]) for spec in specs}


def _pip(home: str) -> list[str]:
    quiet = ["--no-input", "--progress-bar", "off", "--no-warn-script-location", "--disable-pip-version-check"]
    return [home + "/bin/python", "-m", "pip", "install", *quiet, "--"]


def _run(command: list[str]) -> str | None:
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
    complaints: list[str] = []
    last = ""
    for line in process.stdout or ():
        sys.stderr.write(line)
        sys.stderr.flush()
        last = line.strip() or last
        # pip shouts, uv doesn't.
        if line[:6].lower() == "error:":
            complaints.append(line[6:].strip())
    if process.wait() == 0:
        return None
    return (" ".join(complaints) or last or f"{command[0]} ended with {process.returncode}")[:LONGEST_REASON]


def _outcome(spec: Spec, failure: str | None, before: dict[str, str], after: dict[str, str]) -> Outcome:
    name = canonical(spec["name"])
    version = after.get(name)
    package: Outcome = {"requested": spec["requested"], "name": spec["name"], "version": version}
    if failure is not None or version is None:
        reason = failure or "The installer reported success, but the package isn't there."
        return {**package, "outcome": "failed", "reason": reason}
    return {**package, "outcome": "present" if before.get(name) == version else "installed"}
