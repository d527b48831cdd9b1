"""Starts the warm interpreter, or with `plain` one session without anything imported in advance."""

import sys

HOME = __file__.rpartition("/cove_kernel/")[0]
sys.path.insert(0, HOME)

from cove_kernel import warm_interpreter  # noqa: E402

if sys.argv[1:2] == ["plain"]:
    warm_interpreter.start_plain(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    warm_interpreter.serve(3)
