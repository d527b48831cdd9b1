from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from coved.files import Files
from coved.paths import Roots
from coved.refusal import Refusal

if TYPE_CHECKING:
    from coved.messages import Message


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(Roots({b"workspace": (bytes(tmp_path), True)}))


def answer_of(steps: Iterable[Message | None]) -> Message:
    """What a piece of work that is done in steps comes to."""
    *_, answer = steps
    assert answer is not None
    return answer


def names_of(page: Message) -> list[str]:
    entries = page["entries"]
    assert isinstance(entries, list)
    return [entry["name"] for entry in entries]


def test_a_file_is_described(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "a.txt").chmod(0o640)
    os.utime(tmp_path / "a.txt", (1.5, 1.5))
    described = {"name": "a.txt", "type": "file", "size": 5, "modified_ms": 1500, "mode": 0o640}
    assert files.stat("a.txt") == described


def test_a_link_is_described_with_where_it_leads(files: Files, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    described = files.stat("link")
    assert (described["type"], described["target"]) == ("symlink", "/etc/passwd")


def test_a_directory_is_listed_page_by_page_in_the_order_of_its_bytes(files: Files, tmp_path: Path) -> None:
    for name in ("b", "a", "Z", "é", "c"):
        (tmp_path / name).touch()
    names, after = [], None
    while True:
        page = answer_of(files.list("/workspace", after, 2))
        names.append(names_of(page))
        after = page["next"]
        if after is None:
            break
    assert names == [["Z", "a"], ["b", "c"], ["é"]]


def test_a_page_of_very_long_names_ends_before_it_is_too_large(files: Files, tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}{'x' * 240}").touch()
    page = answer_of(files.list("/workspace", None, 1000))
    names = names_of(page)
    assert 0 < len(names) < 300
    assert page["next"] == names[-1]


def test_large_directories_are_listed_in_steps(files: Files, tmp_path: Path) -> None:
    for number in range(2500):
        (tmp_path / str(number)).touch()
    steps = list(files.list("/workspace", None, 10))
    assert steps[:-1] == [None]


def test_what_exists_is_not_moved_over_unless_asked_for(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    with pytest.raises(Refusal, match="the target exists already"):
        files.move("a", "b", overwrite=False)
    files.move("a", "b", overwrite=True)
    files.move("b", "new/folder/c", overwrite=False)
    assert (tmp_path / "new/folder/c").read_text() == "a"


def test_a_tree_goes_whatever_is_in_it_and_nothing_beyond(files: Files, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").touch()
    deep = tmp_path / "tree" / "/".join(["d"] * 300)
    deep.mkdir(parents=True)
    (deep / "file").touch()
    (tmp_path / "tree/link").symlink_to(tmp_path / "kept")
    (tmp_path / "tree/d").chmod(0)
    list(files.remove("tree", recursive=True))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept/file").exists()


def test_a_directory_with_something_in_it_is_not_removed_by_accident(files: Files, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    with pytest.raises(OSError, match="not empty"):
        list(files.remove("full", recursive=False))


def test_what_a_tree_takes_up_is_counted_as_far_as_asked(files: Files, tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / str(number)).write_bytes(b"x" * 4096)
    everything = answer_of(files.usage("/workspace", 100))
    assert (everything["entries"], everything["complete"]) == (10, True)
    assert answer_of(files.usage("/workspace", 5))["complete"] is False
