# The C half of `signal`, which typeshed leaves out: signals are plain numbers here. What the daemon uses of it.
from collections.abc import Callable
from types import FrameType
from typing import Final

SIGCHLD: Final[int]
SIGCONT: Final[int]
SIGINT: Final[int]
SIGKILL: Final[int]
SIGPIPE: Final[int]
SIGSTOP: Final[int]
SIGTERM: Final[int]
SIGXFSZ: Final[int]
SIG_DFL: Final[int]
SIG_IGN: Final[int]

def set_wakeup_fd(fd: int, /, *, warn_on_full_buffer: bool = True) -> int: ...
def signal(number: int, handler: Callable[[int, FrameType | None], object] | int, /) -> object: ...
