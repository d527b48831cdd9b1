"""JSON through the C half of the json module alone: its Python half costs half a megabyte of `re`."""

from _json import encode_basestring_ascii, make_encoder, make_scanner


class _Settings:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None
    memo = {}


_scan = make_scanner(_Settings())
# Without a memory of what it has seen (our answers hold no circles), compact, in the order given.
_encode = make_encoder(None, list, encode_basestring_ascii, None, ":", ",", False, False, False)


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
    return "".join(_encode(value, 0)).encode("ascii")
