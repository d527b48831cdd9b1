#!/usr/bin/env python3
"""red_green.py FILE...: the tests of this directory fail without these files and pass with them."""

import subprocess
import sys
from pathlib import Path

# What `python3 -m unittest` exits with; 5 when it found no tests at all.
PASSED, RED, NONE = 0, 1, 5


def run() -> int:
    command = [sys.executable, "-B", "-m", "unittest", "-f"]
    return subprocess.run(command, capture_output=True, check=False).returncode


def main() -> int:
    files = [Path(name) for name in sys.argv[1:]]
    if not files:
        print(__doc__, file=sys.stderr)
        return 2
    hidden = [(file, file.rename(file.with_name(f".{file.name}.hidden"))) for file in files]
    try:
        without = run()
    finally:
        for file, place in hidden:
            place.rename(file)
    if without == NONE:
        print("There are no tests here: name them test_*.py.")
        return 1
    if without != RED:
        print("The tests pass without this code: they don't test it.")
        return 1
    if run() != PASSED:
        print("The tests fail with this code, too: not done yet.")
        return 1
    print("red without, green with: good")
    return 0


sys.exit(main())
