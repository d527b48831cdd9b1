"""Starts the daemon. Small on purpose: a script isn't cached as bytecode, what it imports is."""

import sys

sys.path[0:1] = [__file__.rpartition("/coved/")[0] or "."] if sys.flags.isolated else sys.path[0:1]

from coved.daemon import main  # noqa: E402

main(sys.argv[1:])
