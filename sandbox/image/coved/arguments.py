"""What a request says, checked: whatever is wrong with it is refused in words."""

from coved.refusal import Refusal

MOST_KEPT = 4 * 1024 * 1024
MOST_RESULTS = 16 * 1024 * 1024
LONGEST_CODE = 128 * 1024
LONGEST = 7 * 24 * 3600 * 1000
SHELL = b"/bin/bash"


class RunOptions:
    def __init__(self, ask, name, roots, environment):
        command = _bytes(text(ask, "command"))
        if len(command) > 128 * 1024 - 1:
            raise Refusal("invalid_argument", "the command is longer than 128 KiB: write it to a file and run that")
        self.arguments = (SHELL, b"-c", b"--", command)
        self.directory = roots.directory_for_commands(ask.get("cwd") or "/workspace")
        self.environment = _environment(roots.activate(environment), ask.get("env"), name)
        self.stdin = ask.get("stdin") is True
        self.timeout, self.grace = _timeout(ask), _grace(ask)
        self.kept = _kept(ask)
        self.most_background = _most_background(ask)


class CellOptions:
    def __init__(self, ask, name):
        code = code_of(ask)
        self.results = min(count(ask, "results", 8 * 1024 * 1024), MOST_RESULTS)
        self.timeout, self.grace = _timeout(ask), _grace(ask)
        self.kept = _kept(ask)
        self.most_background = _most_background(ask)
        self.order = {"session": session_of(ask), "code": code, "id": name, "results": self.results}


def code_of(ask):
    code = text(ask, "code")
    if len(code.encode("utf-8", "surrogatepass")) > LONGEST_CODE:
        raise Refusal("invalid_argument", "the code is longer than 128 KiB: write it to a file and %run that")
    return code


def session_of(ask):
    name = text(ask, "session")
    letters = name.replace("-", "a").replace("_", "a").replace(".", "a")
    if not (0 < len(name) <= 64 and letters.isascii() and letters.isalnum() and name[0] != "."):
        raise Refusal("invalid_argument", "a session's name is made of letters, digits, - and _, up to 64")
    return name


def _timeout(ask):
    return min(count(ask, "timeout_ms", 0), LONGEST) / 1000


def _grace(ask):
    return min(count(ask, "grace_ms", 0), 60000) / 1000


def _most_background(ask):
    """For one that nobody is going to wait for: how many of those there may be. None for all others."""
    return None if ask.get("most_background") is None else count(ask, "most_background", 0)


def _kept(ask):
    return (min(count(ask, "head", 262144), MOST_KEPT), min(count(ask, "tail", 262144), MOST_KEPT))


def _environment(base, changes, name):
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


def text(ask, key):
    value = ask.get(key)
    if not isinstance(value, str):
        raise Refusal("invalid_argument", "%s must be text" % key)
    return value


def _bytes(text):
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Refusal("invalid_argument", "text with a broken character") from None
    if b"\0" in raw:
        raise Refusal("invalid_argument", "text with a NUL in it can't be passed to a command")
    return raw


def count(ask, key, otherwise):
    value = ask.get(key)
    if value is None:
        return otherwise
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise Refusal("invalid_argument", "%s must be a whole number" % key)
    return value
