"""What is installed, and where: in the user's environment, by `pip install --user`, or with the system."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import distributions
from typing import TYPE_CHECKING

from cove_packages.environments import ACTIVE

if TYPE_CHECKING:
    from typing import TypedDict

    class Package(TypedDict):
        name: str
        version: str
        place: str


_PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
# In the order in which Python looks.
PLACES = (
    ("environment", f"{ACTIVE}/lib/{_PYTHON}/site-packages"),
    ("user", f"/workspace/.local/lib/{_PYTHON}/site-packages"),
    ("system", "/usr/lib/python3/dist-packages"),
    ("system", f"/usr/local/lib/{_PYTHON}/dist-packages"),
)


def installed() -> list[Package]:
    """Every distribution once, as Python would find it."""
    packages: dict[str, Package] = {}
    for place, path in PLACES:
        for found in distributions(path=[path]) if os.path.isdir(path) else ():
            name, version = found.metadata["Name"], found.metadata["Version"]
            if name and version:
                packages.setdefault(canonical(name), {"name": name, "version": version, "place": place})
    return sorted(packages.values(), key=lambda package: package["name"].lower())


def versions() -> dict[str, str]:
    return {canonical(package["name"]): package["version"] for package in installed()}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
