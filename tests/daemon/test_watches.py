from __future__ import annotations

from pathlib import Path

import pytest

from coved.watches import CREATE, IS_DIRECTORY, Watches, counts


@pytest.mark.parametrize("name", [b"a.txt", b"outputs", b"node_modules.txt", b"\xff"])
def test_what_people_make_counts(name: bytes) -> None:
    assert counts(name)


@pytest.mark.parametrize("name", [b".hidden", b".venv", b"node_modules", b"__pycache__", b"site-packages"])
def test_what_is_hidden_or_installed_does_not(name: bytes) -> None:
    assert not counts(name)


def test_files_are_found_everywhere_but_in_environments(tmp_path: Path) -> None:
    for file in ("a", "b/c/d", ".hidden/e", "env/pyvenv.cfg", "env/f", "node_modules/g"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    found: list[bytes] = []
    watches = Watches(bytes(tmp_path))
    assert watches.add(bytes(tmp_path), lambda entry: found.append(entry.path))
    watches.close()
    assert sorted(found) == [bytes(tmp_path / "a"), bytes(tmp_path / "b/c/d")]


def test_a_change_is_told_with_its_directory(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    watches = Watches(bytes(tmp_path))
    assert watches.add(bytes(tmp_path))
    (tmp_path / "inner/new").mkdir()
    events: list[tuple[bytes, int, bytes]] = []
    assert watches.read(lambda *event: events.append(event))
    watches.close()
    assert events == [(bytes(tmp_path / "inner"), CREATE | IS_DIRECTORY, b"new")]


def test_once_closed_it_says_that_it_can_not_tell(tmp_path: Path) -> None:
    watches = Watches(bytes(tmp_path))
    watches.close()
    assert not watches.read(lambda *_: None)
