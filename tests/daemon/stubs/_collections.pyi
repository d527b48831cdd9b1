# The C half of `collections`, which typeshed leaves out.
from collections import deque as deque
