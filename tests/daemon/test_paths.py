from __future__ import annotations

import os
from pathlib import Path

import pytest

from coved.paths import Roots, decode_name, encode_path, open_regular
from coved.refusal import Refusal


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    for name in ("workspace", "skills"):
        (tmp_path / name).mkdir()
    return Roots({b"workspace": (bytes(tmp_path / "workspace"), True), b"skills": (bytes(tmp_path / "skills"), False)})


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a.txt", [b"a.txt"]),
        ("/workspace/a//b/./c", [b"a", b"b", b"c"]),
        ("/workspace/a/../b", [b"b"]),
        ("../workspace/a", [b"a"]),
        ("/../../workspace", []),
        ("/mnt/data/plot.png", [b"outputs", b"plot.png"]),
        ("/mnt/user-data/outputs/plot.png", [b"outputs", b"plot.png"]),
        ("\udcff", [b"\xff"]),
    ],
)
def test_a_path_of_the_workspace_is_found_by_its_name(roots: Roots, path: str, parts: list[bytes]) -> None:
    assert roots.locate(path) == (b"workspace", parts)


@pytest.mark.parametrize("path", ["/etc/passwd", "..", "/", "/workspace/../etc", "/mnt", "/workspaces/a"])
def test_nothing_else_is_served(roots: Roots, path: str) -> None:
    with pytest.raises(Refusal) as caught:
        roots.locate(path)
    assert caught.value.code == "path_refused"


@pytest.mark.parametrize("path", [None, "", 5, [], "a\0b", "\ud800", "x" * 16385])
def test_what_is_not_a_path_is_refused(path: object) -> None:
    with pytest.raises(Refusal) as caught:
        encode_path(path)
    assert caught.value.code == "invalid_argument"


def test_a_name_of_any_bytes_goes_there_and_back() -> None:
    assert encode_path(decode_name(b"\xff\xfe-\xc3\xa9")) == b"\xff\xfe-\xc3\xa9"


@pytest.mark.parametrize("path", ["link/secret", "inner/link/secret"])
def test_a_planted_link_leads_nowhere(roots: Roots, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("secret")
    (tmp_path / "workspace/inner").mkdir()
    for folder in ("workspace", "workspace/inner"):
        (tmp_path / folder / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(Refusal, match="links are not followed"):
        roots.node(path)


def test_a_link_itself_can_be_looked_at_but_not_read(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "workspace/link").symlink_to("/etc/passwd")
    node = roots.node("link")
    try:
        assert os.readlink(b"", dir_fd=node) == b"/etc/passwd"
        with pytest.raises(Refusal, match="links are not followed"):
            open_regular(node, os.O_RDONLY)
    finally:
        os.close(node)


def test_what_is_no_file_is_not_read(roots: Roots, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "workspace/fifo")
    for path, code in (("fifo", "not_a_file"), ("/workspace", "is_a_directory")):
        node = roots.node(path)
        with pytest.raises(Refusal) as caught:
            open_regular(node, os.O_RDONLY)
        os.close(node)
        assert caught.value.code == code


def test_what_is_shared_is_not_written_to(roots: Roots) -> None:
    with pytest.raises(Refusal) as caught:
        roots.parent("/skills/a", writing=True)
    assert (caught.value.code, caught.value.message) == ("read_only", "/skills is read-only")


def test_a_root_itself_is_not_changed(roots: Roots) -> None:
    with pytest.raises(Refusal, match="/workspace itself can't be changed"):
        roots.parent("/workspace", writing=True)


def test_missing_directories_are_made_when_asked_for(roots: Roots, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        roots.parent("a/b/c.txt", writing=True)
    folder, name = roots.parent("a/b/c.txt", writing=True, make=True)
    os.close(folder)
    assert name == b"c.txt"
    assert (tmp_path / "workspace/a/b").is_dir()


def test_no_descriptor_is_left_open_by_a_refusal(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "workspace/a").mkdir()
    (tmp_path / "workspace/a/link").symlink_to("/etc")
    before = os.listdir("/proc/self/fd")
    for path in ("a/link/passwd", "a/missing/x", "/etc/passwd", "a/link"):
        with pytest.raises((Refusal, FileNotFoundError, NotADirectoryError)):
            os.close(roots.parent(path + "/x", writing=True)[0])
    assert os.listdir("/proc/self/fd") == before
