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


def fulfils(requirement: str) -> bool:
    """Whether the system has it in a version that will do, and the user has none of their own."""
    try:
        asked = Requirement(requirement)
    except InvalidRequirement:
        return False  # a wheel, by its path
    have = _packages().get(canonical(asked.name))
    # What an extra brings along can't be told from here.
    return have is not None and not asked.extras and asked.specifier.contains(have, prereleases=True)


@contextmanager
def constraints(without: Iterable[str]) -> Iterator[str]:
    """A file that asks for the versions the system has, but for those of some packages."""
    names = {canonical(name) for name in without}
    lines = [f"{name}=={version.public}\n" for name, version in _packages().items() if name not in names]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.writelines(lines)
    try:
        yield file.name
    finally:
        os.unlink(file.name)


def _packages() -> dict[str, Version]:
    """By name, with the version. Those that a user's own package stands before are not among them."""
    found: dict[str, Version] = {}
    for package in installed():
        if package["place"] == "system":
            try:
                found[canonical(package["name"])] = Version(package["version"])
            except InvalidVersion:
                continue
    return found
