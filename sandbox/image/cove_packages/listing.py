"""What is installed, and where: in the user's environment, by `pip install --user`, or with the system."""

import os
import re
import sys
from importlib.metadata import distributions

from cove_packages.environments import ACTIVE

_PYTHON = "python%d.%d" % sys.version_info[:2]
# In the order in which Python looks.
PLACES = (
    ("environment", f"{ACTIVE}/lib/{_PYTHON}/site-packages"),
    ("user", f"/workspace/.local/lib/{_PYTHON}/site-packages"),
    ("system", "/usr/lib/python3/dist-packages"),
    ("system", f"/usr/local/lib/{_PYTHON}/dist-packages"),
)


def installed():
    """Every distribution once, as Python would find it."""
    packages = {}
    for place, path in PLACES:
        for found in distributions(path=[path]) if os.path.isdir(path) else ():
            name, version = found.metadata["Name"], found.metadata["Version"]
            if name and version:
                packages.setdefault(canonical(name), {"name": name, "version": version, "place": place})
    return sorted(packages.values(), key=lambda package: package["name"].lower())


def versions():
    return {canonical(package["name"]): package["version"] for package in installed()}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()
