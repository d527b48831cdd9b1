"""What a request says, checked: whatever is wrong with it is refused in words."""

from __future__ import annotations

from coved.refusal import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from coved.messages import Message
    from coved.paths import Roots

    class CellOrder(TypedDict):
        session: str
        code: str
        id: str
        results: int


MOST_OUTPUT = 4 * 1024 * 1024
MOST_RESULTS = 16 * 1024 * 1024
LONGEST_CODE = 128 * 1024
LONGEST = 7 * 24 * 3600 * 1000
SHELL = b"/bin/bash"


class RunOptions:
    def __init__(self, request: Message, name: str, roots: Roots, environment: dict[bytes, bytes]) -> None:
        command = _bytes(text(request, "command"))
        if len(command) > 128 * 1024 - 1:
            raise Refusal("invalid_argument", "the command is longer than 128 KiB: write it to a file and run that")
        self.arguments = (SHELL, b"-c", b"--", command)
        self.directory = roots.directory_for_commands(request.get("cwd") or "/workspace")
        self.environment = _environment(roots.activate(environment), request.get("env"), name)
        self.stdin = request.get("stdin") is True
        self.timeout, self.grace = _timeout(request), _grace(request)
        self.limits = _limits(request)
        self.most_background = _most_background(request)


class CellOptions:
    def __init__(self, request: Message, name: str) -> None:
        code = code_of(request)
        self.results = min(count(request, "results", 8 * 1024 * 1024), MOST_RESULTS)
        self.timeout, self.grace = _timeout(request), _grace(request)
        self.limits = _limits(request)
        self.most_background = _most_background(request)
        self.order: CellOrder = {"session": session_of(request), "code": code, "id": name, "results": self.results}


def code_of(request: Message) -> str:
    code = text(request, "code")
    if len(code.encode("utf-8", "surrogatepass")) > LONGEST_CODE:
        raise Refusal("invalid_argument", "the code is longer than 128 KiB: write it to a file and %run that")
    return code


def session_of(request: Message) -> str:
    name = text(request, "session")
    letters = name.replace("-", "a").replace("_", "a").replace(".", "a")
    if not (0 < len(name) <= 64 and letters.isascii() and letters.isalnum() and name[0] != "."):
        raise Refusal("invalid_argument", "a session's name is made of letters, digits, - and _, up to 64")
    return name


def _timeout(request: Message) -> float:
    return min(count(request, "timeout_ms", 0), LONGEST) / 1000


def _grace(request: Message) -> float:
    return min(count(request, "grace_ms", 0), 60000) / 1000


def _most_background(request: Message) -> int | None:
    """For one that nobody is going to wait for: how many of those there may be. None for all others."""
    return None if request.get("most_background") is None else count(request, "most_background", 0)


def _limits(request: Message) -> tuple[int, int]:
    return (min(count(request, "head", 262144), MOST_OUTPUT), min(count(request, "tail", 262144), MOST_OUTPUT))


def _environment(base: dict[bytes, bytes], changes: object, name: str) -> dict[bytes, bytes]:
    environment = dict(base)
    if changes is not None and not isinstance(changes, dict):
        raise Refusal("invalid_argument", "env must be an object")
    for key, value in (changes or {}).items():
        raw = _bytes(key)
        if not raw or b"=" in raw:
            raise Refusal("invalid_argument", "the name of an environment variable is wrong")
        if value is None:
            environment.pop(raw, None)
        elif isinstance(value, str):
            environment[raw] = _bytes(value)
        else:
            raise Refusal("invalid_argument", "environment variables are text")
    environment[b"COVE_EXECUTION"] = _bytes(name)
    return environment


def text(request: Message, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise Refusal("invalid_argument", f"{key} must be text")
    return value


def _bytes(text: str) -> bytes:
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Refusal("invalid_argument", "text with a broken character") from None
    if b"\0" in raw:
        raise Refusal("invalid_argument", "text with a NUL in it can't be passed to a command")
    return raw


def count(request: Message, key: str, otherwise: int) -> int:
    value = request.get(key)
    if value is None:
        return otherwise
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise Refusal("invalid_argument", f"{key} must be a whole number")
    return value
