"""Looking at files and changing them as a whole: stat, list, make, move, remove."""

from __future__ import annotations

import os
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG

from coved.paths import DIRECTORY, decode_name, encode_path, walk
from coved.refusal import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import NotRequired, TypedDict

    from coved.messages import Message
    from coved.paths import Roots

    class Entry(TypedDict):
        name: str
        type: str
        size: int
        modified_ms: int
        mode: int
        target: NotRequired[str]


PAGE = 1000
PAGE_BYTES = 192 * 1024
STEP = 2000
DEEPEST = 200
LISTABLE = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Files:
    def __init__(self, roots: Roots) -> None:
        self.roots = roots

    def stat(self, path: object) -> Entry:
        root, parts = self.roots.locate(path)
        node = self.roots.node(path)
        try:
            status = os.fstat(node)
            target = os.readlink(b"", dir_fd=node) if S_ISLNK(status.st_mode) else None
        finally:
            os.close(node)
        return describe(parts[-1] if parts else root, status, target)

    def list(self, path: object, after: object, limit: int) -> Generator[Message | None]:
        """A page of names in byte order after `after`, in steps: the last value yielded is the answer.

        A directory is read whole for each page and only a page of it held, so its size never is a memory matter.
        """
        after = encode_path(after) if after else b""
        limit = min(max(1, limit), PAGE)
        folder = self._open_listable(path)
        try:
            best: list[bytes] = []
            batch: list[bytes] = []
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = os.fsencode(entry.name)
                    if name > after:
                        batch.append(name)
                    if len(batch) >= STEP:
                        best, batch = sorted(best + batch)[: limit + 1], []
                        yield None
            best = sorted(best + batch)[: limit + 1]
            yield self._page(folder, best, limit)
        finally:
            os.close(folder)

    def make_directory(self, path: object) -> None:
        root, parts = self.roots.locate(path)
        os.close(walk(self.roots.open_root(root, True), parts, make=True))

    def move(self, source: object, target: object, overwrite: bool) -> None:
        folder, name = self.roots.parent(source, writing=True)
        try:
            other, new_name = self.roots.parent(target, writing=True, make=True)
            try:
                if not overwrite and _exists(new_name, other):
                    raise Refusal("exists", "the target exists already")
                os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=other)
            finally:
                os.close(other)
        finally:
            os.close(folder)

    def remove(self, path: object, recursive: bool) -> Generator[None]:
        """Removes in steps. Deep trees are flattened on the way, so depth costs neither stack nor descriptors."""
        folder, name = self.roots.parent(path, writing=True)
        try:
            if not S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
            elif not recursive:
                os.rmdir(name, dir_fd=folder)
            else:
                yield from _remove_tree(folder, name)
        finally:
            os.close(folder)

    def usage(self, path: object, most: int) -> Generator[Message | None]:
        """What a tree takes up on disk, in steps; deeper than descriptors last, it is counted only in part."""
        total, count, depth = 0, 0, 0
        stack = [self._open_listable(path)]
        folders = [os.scandir(stack[0])]
        try:
            while folders and count < most:
                entry = next(folders[-1], None)
                if entry is None:
                    folders.pop().close()
                    os.close(stack.pop())
                    continue
                count += 1
                try:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False) and len(stack) < DEEPEST:
                        stack.append(os.open(os.fsencode(entry.name), LISTABLE, dir_fd=stack[-1]))
                        folders.append(os.scandir(stack[-1]))
                    depth = max(depth, len(stack))
                except OSError:
                    continue  # gone since it was listed, or closed to us
                if count % STEP == 0:
                    yield None
            yield {"bytes": total, "entries": count, "complete": not folders and depth < DEEPEST}
        finally:
            for folder in folders:
                folder.close()
            for fd in stack:
                os.close(fd)

    def _open_listable(self, path: object) -> int:
        node = self.roots.node(path)
        try:
            mode = os.fstat(node).st_mode
            if S_ISLNK(mode):
                raise Refusal("path_refused", "it is a symbolic link, and links are not followed")
            if not S_ISDIR(mode):
                raise Refusal("not_a_directory", "it is not a directory")
            return os.open(b".", LISTABLE, dir_fd=node)
        finally:
            os.close(node)

    def _page(self, folder: int, names: Sequence[bytes], limit: int) -> Message:
        entries: list[Entry] = []
        size, last = 0, b""
        for name in names[:limit]:
            try:
                status = os.lstat(name, dir_fd=folder)
                target = os.readlink(name, dir_fd=folder) if S_ISLNK(status.st_mode) else None
            except OSError:
                continue  # gone since it was listed
            # Six characters for each byte is the most that escaping makes of a name.
            size += 160 + 6 * (len(name) + len(target or b""))
            if size > PAGE_BYTES and entries:
                return {"entries": entries, "next": decode_name(last)}
            entries.append(describe(name, status, target))
            last = name
        return {"entries": entries, "next": decode_name(names[limit - 1]) if len(names) > limit else None}


def describe(name: bytes, status: os.stat_result, target: bytes | None = None) -> Entry:
    mode = status.st_mode
    kind = "file" if S_ISREG(mode) else "directory" if S_ISDIR(mode) else "symlink" if S_ISLNK(mode) else "other"
    entry: Entry = {
        "name": decode_name(name),
        "type": kind,
        "size": status.st_size,
        "modified_ms": status.st_mtime_ns // 1000000,
        "mode": S_IMODE(mode),
    }
    if target is not None:
        entry["target"] = decode_name(target)
    return entry


def _exists(name: bytes, folder: int) -> bool:
    try:
        os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return False
    return True


def _remove_tree(parent: int, name: bytes) -> Generator[None]:
    top = _open_to_empty(name, parent)
    try:
        count = 0
        pending = [b"."]
        while pending:
            inner = pending.pop()
            folder = top if inner == b"." else _open_to_empty(inner, top)
            try:
                for entry in _entries(folder):
                    count += 1
                    if not _unlink(entry, folder):
                        # A directory with something in it moves up beside the others and is emptied later.
                        place = entry
                        if folder != top:
                            place = b".cove-removing-%d" % count
                            os.rename(entry, place, src_dir_fd=folder, dst_dir_fd=top)
                        pending.append(place)
                    if count % 500 == 0:
                        yield None
            finally:
                if folder != top:
                    os.close(folder)
            if inner != b".":
                os.rmdir(inner, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(name, dir_fd=parent)


def _entries(folder: int) -> list[bytes]:
    with os.scandir(folder) as entries:
        return [os.fsencode(entry.name) for entry in entries]


def _unlink(name: bytes, folder: int) -> bool:
    """Removes a file or an empty directory; False for a directory that isn't empty."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            _allow(name, folder)
            return False
    return True


def _open_to_empty(name: bytes, folder: int) -> int:
    _allow(name, folder)
    return os.open(name, LISTABLE, dir_fd=folder)


def _allow(name: bytes, folder: int) -> None:
    """Its owner may have taken every right away from a directory; they are needed to empty it."""
    node = os.open(name, DIRECTORY, dir_fd=folder)
    try:
        if os.fstat(node).st_mode & 0o700 != 0o700:
            os.chmod(f"/proc/self/fd/{node}", 0o700)
    finally:
        os.close(node)
