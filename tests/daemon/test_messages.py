from __future__ import annotations

import json

import pytest

from coved.messages import dumps, loads


def test_what_is_said_is_what_the_json_module_would_say() -> None:
    value = {"a": [1, 2.5, None, True], "ü\n": "😀", "": {"x": -1}}
    assert json.loads(dumps(value)) == value == loads(dumps(value))


def test_it_is_compact_ascii_in_the_order_given() -> None:
    assert dumps({"b": 1, "a": "é"}) == b'{"b":1,"a":"\\u00e9"}'


def test_bytes_that_are_not_text_survive_as_lone_surrogates() -> None:
    name = b"\xff.txt".decode("utf-8", "surrogateescape")
    assert loads(dumps({"name": name})) == {"name": name}


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"1", b'"x"', b"{} ", b"{}{}", b"{'a':1}", b'{"a":NaN}', b"\xff", b'{"a":' * 100_000],
)
def test_anything_but_one_object_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError):
        loads(payload)
