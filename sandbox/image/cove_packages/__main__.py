"""`__main__.py <what>` with its arguments as JSON on stdin. Progress goes to stderr, the answer to stdout."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

sys.path.insert(0, __file__.rpartition("/cove_packages/")[0])

from cove_packages import environments, install, listing
from cove_packages.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHANGING = ("install", "make", "use")
# A request is what the server has made, and needs no checking here.
ACTIONS: dict[str, Callable[[dict[str, Any]], Mapping[str, object]]] = {
    "install": lambda request: install.install(request["specs"]),
    "list": lambda request: {"packages": listing.installed()},
    "environments": lambda request: {"environments": environments.known()},
    "make": lambda request: environments.make(request["name"], request["type"]),
    "use": lambda request: environments.use(request["name"]),
}

try:
    request = json.load(sys.stdin)
    with environments.alone() if sys.argv[1] in CHANGING else nullcontext():
        answer = ACTIONS[sys.argv[1]](request)
except Refusal as refusal:
    answer = {"refused": str(refusal)}
json.dump(answer, sys.stdout)
sys.exit(1 if "refused" in answer or answer.get("failed") else 0)
