"""Paths of the workspace. Every component is opened by itself and never followed, so no planted link leads out."""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISLNK, S_ISREG

from coved.refusal import Refusal

DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NODE = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
HOME = b"/workspace"
# Links in the image that lead into the workspace; known by name since links aren't followed.
ALIASES = {
    (b"mnt", b"data"): (b"workspace", b"outputs"),
    (b"mnt", b"user-data", b"outputs"): (b"workspace", b"outputs"),
}


class Roots:
    """The directories files are served from: name → (where it really is, may be written)."""

    def __init__(self, roots: dict[bytes, tuple[bytes, bool]]) -> None:
        self._roots = roots

    def locate(self, path: object) -> tuple[bytes, list[bytes]]:
        """(root, parts) of a path. `..` is resolved by name, which is safe where nothing is followed."""
        raw = encode_path(path)
        parts: list[bytes] = []
        for part in (raw if raw.startswith(b"/") else HOME + b"/" + raw).split(b"/"):
            if part == b"..":
                del parts[-1:]
            elif part not in (b"", b"."):
                parts.append(part)
        for alias, target in ALIASES.items():
            if tuple(parts[: len(alias)]) == alias:
                parts[: len(alias)] = target
        if not parts or parts[0] not in self._roots:
            raise Refusal("path_refused", "files are served from /workspace, /tmp, /skills and /tools only")
        return parts[0], parts[1:]

    def directory_for_commands(self, path: object) -> bytes:
        """Where a command starts: any directory the user can enter, links and all."""
        raw = encode_path(path)
        full = os.path.normpath(raw if raw.startswith(b"/") else HOME + b"/" + raw)
        first = full.split(b"/")[1]
        if first in self._roots:
            full = self._roots[first][0] + full[1 + len(first) :]
        if not os.path.isdir(full):
            raise Refusal("not_found", "the working directory does not exist")
        return full

    def activate(self, environment: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """The user's own Python environment comes first on the path as soon as there is one."""
        home = self.place(b"workspace") + b"/.venv"
        if not os.path.exists(home + b"/bin/python"):
            return environment
        path = home + b"/bin:" + environment.get(b"PATH", b"")
        return {**environment, b"PATH": path, b"VIRTUAL_ENV": home}

    def place(self, root: bytes) -> bytes:
        return self._roots[root][0]

    def usage(self, root: bytes) -> dict[str, int] | None:
        try:
            status = os.statvfs(self._roots[root][0])
        except OSError:
            return None
        return {
            "total_bytes": status.f_blocks * status.f_frsize,
            "free_bytes": status.f_bavail * status.f_frsize,
            "total_inodes": status.f_files,
            "free_inodes": status.f_favail,
        }

    def open_root(self, root: bytes, writing: bool) -> int:
        place, writable = self._roots[root]
        if writing and not writable:
            raise Refusal("read_only", f"/{root.decode()} is read-only")
        return os.open(place, DIRECTORY)

    def parent(self, path: object, writing: bool = False, make: bool = False) -> tuple[int, bytes]:
        """An open directory and the last name in it; a root itself has no name and is refused."""
        root, parts = self.locate(path)
        if not parts:
            raise Refusal("path_refused", f"/{root.decode()} itself can't be changed")
        return walk(self.open_root(root, writing), parts[:-1], make), parts[-1]

    def node(self, path: object) -> int:
        """The thing itself, opened without touching it: a FIFO is not read, a link not followed."""
        root, parts = self.locate(path)
        folder = self.open_root(root, False)
        if not parts:
            return folder
        folder = walk(folder, parts[:-1])
        try:
            return os.open(parts[-1], NODE, dir_fd=folder)
        finally:
            os.close(folder)


def walk(folder: int, parts: list[bytes], make: bool = False) -> int:
    """From an open directory down; takes `folder` over and returns the last one, open."""
    try:
        for part in parts:
            folder = _enter(folder, part, make)
    except BaseException:
        os.close(folder)
        raise
    return folder


def _enter(folder: int, part: bytes, make: bool) -> int:
    try:
        inner = os.open(part, DIRECTORY, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(part, 0o755, dir_fd=folder)
        inner = os.open(part, DIRECTORY, dir_fd=folder)
    except NotADirectoryError:
        if S_ISLNK(os.lstat(part, dir_fd=folder).st_mode):
            raise Refusal("path_refused", "a part of the path is a symbolic link, and links are not followed") from None
        raise
    os.close(folder)
    return inner


def open_regular(node: int, flags: int) -> int:
    """Reopens a node for reading or writing. The check and the file opened are the same inode."""
    require_regular(node)
    return os.open(f"/proc/self/fd/{node}", flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def require_regular(node: int) -> None:
    mode = os.fstat(node).st_mode
    if S_ISDIR(mode):
        raise Refusal("is_a_directory", "it is a directory")
    if S_ISLNK(mode):
        raise Refusal("path_refused", "it is a symbolic link, and links are not followed")
    if not S_ISREG(mode):
        raise Refusal("not_a_file", "it is not a regular file")


def encode_path(path: object) -> bytes:
    """The bytes a path stands for; lone surrogates are bytes that aren't UTF-8."""
    if not isinstance(path, str) or not path:
        raise Refusal("invalid_argument", "a path is missing")
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Refusal("invalid_argument", "the path is not text") from None
    if b"\0" in raw or len(raw) > 16384:
        raise Refusal("invalid_argument", "the path holds a NUL or is too long")
    return raw


def decode_name(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
