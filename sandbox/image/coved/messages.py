"""JSON through the C half of the json module alone: its Python half costs half a megabyte of `re`."""

from __future__ import annotations

from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    # What is in one is known once it has been looked at.
    Message = Mapping[str, object]


class _Settings:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None
    memo: dict[str, str] = {}  # noqa: RUF012  nothing is ever kept in it


_scan = make_scanner(_Settings())  # type: ignore[arg-type]  # whatever has these attributes will do
# Without a memory of what it has seen (our answers hold no circles), compact, in the order given.
_encode = make_encoder(None, list, encode_basestring_ascii, None, ":", ",", False, False, False)


def loads(payload: bytes) -> dict[str, object]:
    """The object in `payload`. Raises ValueError for anything else."""
    text = payload.decode("utf-8")
    try:
        value, end = _scan(text, 0)
    except (StopIteration, RecursionError, TypeError):
        raise ValueError("not JSON") from None
    if end != len(text) or type(value) is not dict:
        raise ValueError("not one JSON object")
    return value


def dumps(value: Message) -> bytes:
    """Compact ASCII JSON; lone surrogates, which stand for bytes that aren't UTF-8, become escapes."""
    return "".join(_encode(value, 0)).encode("ascii")
