#!/usr/bin/env python3
"""check_equal.py A B: are two expressions the same? Exit 0 if so, 1 if not."""

import random
import sys

from sympy import N, simplify, sympify


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    left, right = map(sympify, sys.argv[1:])
    difference = left - right
    if simplify(difference) == 0:
        print("equal (symbolically)")
        return 0
    numbers = random.Random(7)
    for _ in range(8):
        point = {symbol: numbers.uniform(0.2, 2.5) for symbol in difference.free_symbols}
        if abs(complex(N(difference.subs(point)))) > 1e-9:
            print(f"different, for instance at {point}")
            return 1
    print("equal at 8 random points, not proven")
    return 0


sys.exit(main())
