from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from coved.arguments import LONGEST, MOST_OUTPUT, CellOptions, RunOptions, count, session_of, text
from coved.paths import Roots
from coved.refusal import Refusal

if TYPE_CHECKING:
    from coved.messages import Message

BASE = {b"PATH": b"/usr/bin", b"HOME": b"/workspace"}


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    return Roots({b"workspace": (bytes(tmp_path), True)})


def refusal_of(request: Message, roots: Roots) -> str:
    with pytest.raises(Refusal) as caught:
        RunOptions(request, "e1", roots, BASE)
    assert caught.value.code == "invalid_argument"
    return caught.value.message


def test_a_command_runs_in_bash_and_can_not_pass_for_an_option(roots: Roots, tmp_path: Path) -> None:
    options = RunOptions({"command": "-c ls"}, "e1", roots, BASE)
    assert options.arguments == (b"/bin/bash", b"-c", b"--", b"-c ls")
    assert options.directory == bytes(tmp_path)
    assert (options.stdin, options.timeout, options.grace, options.most_background) == (False, 0, 0, None)


def test_the_environment_is_changed_and_says_which_execution_it_is(roots: Roots) -> None:
    changes = {"HOME": None, "NAME": "ü=1", "GONE": None}
    options = RunOptions({"command": "ls", "env": changes}, "e1", roots, BASE)
    assert options.environment == {b"PATH": b"/usr/bin", b"NAME": "ü=1".encode(), b"COVE_EXECUTION": b"e1"}
    assert BASE == {b"PATH": b"/usr/bin", b"HOME": b"/workspace"}


def test_an_execution_can_not_pass_for_another(roots: Roots) -> None:
    options = RunOptions({"command": "ls", "env": {"COVE_EXECUTION": "e2"}}, "e1", roots, BASE)
    assert options.environment[b"COVE_EXECUTION"] == b"e1"


def test_the_user_s_own_environment_comes_first_on_the_path(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").touch()
    environment = RunOptions({"command": "ls"}, "e1", roots, BASE).environment
    assert environment[b"PATH"] == bytes(tmp_path) + b"/.venv/bin:/usr/bin"
    assert environment[b"VIRTUAL_ENV"] == bytes(tmp_path) + b"/.venv"


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({}, "command must be text"),
        ({"command": 1}, "command must be text"),
        ({"command": "a\0b"}, "text with a NUL in it can't be passed to a command"),
        ({"command": "\ud800"}, "text with a broken character"),
        ({"command": "x" * 128 * 1024}, "the command is longer than 128 KiB: write it to a file and run that"),
        ({"command": "ls", "env": []}, "env must be an object"),
        ({"command": "ls", "env": {"": "x"}}, "the name of an environment variable is wrong"),
        ({"command": "ls", "env": {"A=B": "x"}}, "the name of an environment variable is wrong"),
        ({"command": "ls", "env": {"A": 1}}, "environment variables are text"),
        ({"command": "ls", "timeout_ms": -1}, "timeout_ms must be a whole number"),
        ({"command": "ls", "grace_ms": 1.5}, "grace_ms must be a whole number"),
        ({"command": "ls", "head": True}, "head must be a whole number"),
        ({"command": "ls", "tail": 1 << 53}, "tail must be a whole number"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(roots: Roots, request_: Message, sentence: str) -> None:
    assert refusal_of(request_, roots) == sentence


def test_a_directory_that_is_not_there_is_refused(roots: Roots) -> None:
    with pytest.raises(Refusal) as caught:
        RunOptions({"command": "ls", "cwd": "/workspace/missing"}, "e1", roots, BASE)
    assert caught.value.code == "not_found"


def test_no_limit_goes_beyond_the_daemon_s_own(roots: Roots) -> None:
    huge = {"timeout_ms": 1 << 50, "grace_ms": 1 << 50, "head": 1 << 50, "tail": 1 << 50}
    options = RunOptions({"command": "ls", **huge}, "e1", roots, BASE)
    assert (options.timeout, options.grace) == (LONGEST / 1000, 60)
    assert options.limits == (MOST_OUTPUT, MOST_OUTPUT)


def test_a_cell_is_an_order_to_its_session() -> None:
    options = CellOptions({"code": "1", "session": "default", "results": 10, "most_background": 0}, "e1")
    assert options.order == {"session": "default", "code": "1", "id": "e1", "results": 10}
    assert options.most_background == 0


def test_code_that_is_too_long_is_refused() -> None:
    with pytest.raises(Refusal, match="the code is longer than 128 KiB"):
        CellOptions({"code": "é" * (64 * 1024 + 1), "session": "default"}, "e1")


@pytest.mark.parametrize("name", ["default", "a", "A-1_2.b", "x" * 64])
def test_a_session_s_name_is_letters_digits_and_a_few_signs(name: str) -> None:
    assert session_of({"session": name}) == name


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a b", "é", "x" * 65, "a\n"])
def test_a_session_s_name_is_not_a_path(name: str) -> None:
    with pytest.raises(Refusal, match="a session's name is made of"):
        session_of({"session": name})


def test_what_is_not_given_is_the_default() -> None:
    assert count({}, "limit", 7) == 7
    assert count({"limit": None}, "limit", 7) == 7
    assert count({"limit": 0}, "limit", 7) == 0
    with pytest.raises(Refusal, match="op must be text"):
        text({}, "op")
