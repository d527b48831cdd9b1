"""JSON through the C half of the json module alone: its Python half costs half a megabyte of `re`."""

from _json import encode_basestring_ascii as quote
from _json import make_scanner


class _Settings:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None
    memo = {}


_scan = make_scanner(_Settings())


def loads(payload):
    """The object in `payload`. Raises ValueError for anything else."""
    text = payload.decode("utf-8")
    try:
        value, end = _scan(text, 0)
    except (StopIteration, RecursionError, TypeError):
        raise ValueError("not JSON") from None
    if end != len(text) or type(value) is not dict:
        raise ValueError("not one JSON object")
    return value


def dumps(value):
    """Compact ASCII JSON; lone surrogates, which stand for bytes that aren't UTF-8, become escapes."""
    return _text(value).encode("ascii")


def _text(value):
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join([quote(key) + ":" + _text(item) for key, item in value.items()]) + "}"
    return "[" + ",".join([_text(item) for item in value]) + "]"
