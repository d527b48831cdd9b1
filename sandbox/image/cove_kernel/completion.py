"""Completes a name from what the session knows: IPython's completer, looking but not touching."""

from __future__ import annotations

import json
import signal
import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType
    from typing import NoReturn, TypedDict

    from IPython.core.completer import IPCompleter

    from cove_kernel.shell import Shell

    class Answer(TypedDict):
        matches: list[list[str]]
        start: int
        end: int


LONGEST = 12 * 1024
LONGEST_NAME = 200
SECONDS = 0.5


def complete(shell: Shell, code: str, cursor: int) -> Answer:
    """What could stand around the cursor, as far as half a second and a message allow."""
    from IPython.core import completerlib
    from IPython.core.completer import provisionalcompleter

    completerlib.try_import = _names_in
    completer = shell.Completer
    completer.use_jedi = False
    # Evaluates names, attributes and items of builtin types; never a property or a call.
    completer.evaluation = "limited"
    with provisionalcompleter():
        return _bounded(lambda: _collect(completer, code, cursor))


def _collect(completer: IPCompleter, code: str, cursor: int) -> Answer:
    from IPython.core.completer import rectify_completions

    matches: list[list[str]] = []
    start, end, size = cursor, cursor, 0
    for completion in rectify_completions(code, completer.completions(code, cursor)):
        start, end = completion.start, completion.end
        match = [
            completion.text[:LONGEST_NAME],
            "" if completion.type == "<unknown>" else str(completion.type or "")[:20],
        ]
        size += len(json.dumps(match)) + 2
        if size > LONGEST:
            break
        matches.append(match)
    if code[start : start + 1] == "." and all(text.startswith(".") for text, _ in matches):
        start, matches = start + 1, [[text[1:], kind] for text, kind in matches]
    return {"matches": matches, "start": start, "end": end}


class _TooSlow(BaseException):
    pass


def _bounded(work: Callable[[], Answer]) -> Answer:
    """The user's own alarm, if there is one, is only put off."""
    theirs = signal.signal(signal.SIGALRM, _too_slow)
    timer = signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, theirs)


def _too_slow(number: int, frame: FrameType | None) -> NoReturn:
    raise _TooSlow


def _names_in(name: str, only_modules: bool = False) -> list[str]:
    """Stands in for IPython's own, which imports a module to list it: a module's code runs when a cell says so."""
    from IPython.core.completerlib import module_list

    name = name.rstrip(".")
    module = sys.modules.get(name)
    places: Iterable[object] | None = getattr(module, "__path__", None)
    if module is None and "." not in name:
        spec = PathFinder.find_spec(name)
        places = spec.submodule_search_locations if spec else None
    names = {found for place in list(places or ())[:10] if isinstance(place, str) for found in module_list(place)}
    if module is not None and not only_modules:
        names.update(entry for entry in vars(module) if not entry.startswith("__"))
    names.discard("__init__")
    return list(names)
