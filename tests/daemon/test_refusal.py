from __future__ import annotations

import errno

import pytest

from coved.refusal import Refusal, as_refusal, from_os_error


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, "not_found"),
        (errno.ENOSPC, "no_space"),
        (errno.EDQUOT, "no_space"),
        (errno.EACCES, "path_refused"),
        (errno.EROFS, "read_only"),
        (errno.EIO, "io_error"),
    ],
)
def test_what_the_system_says_becomes_a_code(number: int, code: str) -> None:
    assert from_os_error(OSError(number, "what it is called")).code == code


def test_an_error_nobody_thought_of_says_what_the_system_called_it() -> None:
    assert from_os_error(OSError(errno.EIO, "Input/output error")).message == "Input/output error"
    assert from_os_error(OSError()).message == "the system refused"


def test_a_refusal_stays_what_it_is() -> None:
    refusal = Refusal("exists", "it exists already")
    assert as_refusal(refusal) is refusal


def test_a_fault_of_our_own_is_told_without_its_details(capfd: pytest.CaptureFixture[str]) -> None:
    refusal = as_refusal(ValueError("a secret"))
    assert (refusal.code, refusal.message) == ("io_error", "the sandbox's daemon could not do it (ValueError)")
    assert "coved: ValueError: a secret" in capfd.readouterr().err
