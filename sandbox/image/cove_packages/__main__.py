"""`__main__.py <what>` with its arguments as JSON on stdin. Progress goes to stderr, the answer to stdout."""

import json
import sys

sys.path.insert(0, __file__.rpartition("/cove_packages/")[0])

from cove_packages import environments, install, listing  # noqa: E402
from cove_packages.refusal import Refused  # noqa: E402

ACTIONS = {
    "install": lambda ask: install.install(ask["specs"]),
    "list": lambda ask: {"packages": listing.installed()},
    "environments": lambda ask: {"environments": environments.found()},
    "make": lambda ask: environments.make(ask["name"], ask["type"]),
    "use": lambda ask: environments.use(ask["name"]),
}

try:
    answer = ACTIONS[sys.argv[1]](json.load(sys.stdin))
except Refused as refusal:
    answer = {"refused": str(refusal)}
json.dump(answer, sys.stdout)
sys.exit(1 if "refused" in answer or answer.get("failed") else 0)
