"""The packages that come with the image, for a tool that doesn't see them."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pip._vendor.packaging.requirements import InvalidRequirement, Requirement
from pip._vendor.packaging.version import InvalidVersion, Version

from cove_packages.listing import canonical, installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    # By canonical name.
    Packages = dict[str, Version]


def fulfils(requirement: str, packages: Packages) -> bool:
    """Whether the system has it in a version that will do, and the user has none of their own."""
    try:
        asked = Requirement(requirement)
    except InvalidRequirement:
        return False  # a wheel, by its path
    have = packages.get(canonical(asked.name))
    # What an extra brings along can't be told from here.
    return have is not None and not asked.extras and asked.specifier.contains(have, prereleases=True)


@contextmanager
def constraints(packages: Packages, without: Iterable[str]) -> Iterator[str]:
    """A file that asks for the versions the system has, but for those of some packages."""
    names = {canonical(name) for name in without}
    lines = [f"{name}=={version.public}\n" for name, version in packages.items() if name not in names]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.writelines(lines)
    try:
        yield file.name
    finally:
        os.unlink(file.name)


def packages() -> Packages:
    """By name, with the version. Those that a user's own package stands before are not among them."""
    found: Packages = {}
    for package in installed():
        if package["place"] == "system":
            try:
                found[canonical(package["name"])] = Version(package["version"])
            except InvalidVersion:
                continue
    return found
