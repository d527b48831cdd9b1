"""`__main__.py <what>` with its arguments as JSON on stdin. Progress goes to stderr, the answer to stdout."""

import json
import sys
from contextlib import nullcontext

sys.path.insert(0, __file__.rpartition("/cove_packages/")[0])

from cove_packages import environments, install, listing  # noqa: E402
from cove_packages.refusal import Refused  # noqa: E402

CHANGING = ("install", "make", "use")
ACTIONS = {
    "install": lambda ask: install.install(ask["specs"]),
    "list": lambda ask: {"packages": listing.installed()},
    "environments": lambda ask: {"environments": environments.found()},
    "make": lambda ask: environments.make(ask["name"], ask["type"]),
    "use": lambda ask: environments.use(ask["name"]),
}

try:
    ask = json.load(sys.stdin)
    with environments.alone() if sys.argv[1] in CHANGING else nullcontext():
        answer = ACTIONS[sys.argv[1]](ask)
except Refused as refusal:
    answer = {"refused": str(refusal)}
json.dump(answer, sys.stdout)
sys.exit(1 if "refused" in answer or answer.get("failed") else 0)
