"""A request that can't be granted: a code the server knows and a sentence for whoever asked."""

from __future__ import annotations

import errno

from coved.loop import complain


class Refusal(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


_CODES = {
    errno.ENOENT: ("not_found", "there is no such file or directory"),
    errno.EEXIST: ("exists", "it exists already"),
    errno.ENOTDIR: ("not_a_directory", "a part of the path is not a directory"),
    errno.EISDIR: ("is_a_directory", "it is a directory"),
    errno.ENOTEMPTY: ("not_empty", "the directory is not empty"),
    errno.ENOSPC: ("no_space", "the disk is full: remove something and try again"),
    errno.EDQUOT: ("no_space", "the disk quota is used up: remove something and try again"),
    errno.EROFS: ("read_only", "it is read-only here"),
    errno.EACCES: ("path_refused", "its permissions don't allow it"),
    errno.EPERM: ("path_refused", "its permissions don't allow it"),
    errno.ELOOP: ("path_refused", "it is a symbolic link, and links are not followed"),
    errno.ENAMETOOLONG: ("invalid_argument", "the name is too long"),
    errno.EFBIG: ("too_large", "the file would become too large"),
    errno.EXDEV: ("invalid_argument", "the two paths are on different disks: copy, then remove"),
    errno.EMFILE: ("io_error", "too many files are open, try again"),
    errno.EBUSY: ("path_refused", "it is in use by the system"),
}


def as_refusal(error: Exception) -> Refusal:
    """The answer to a request that failed, whatever the reason: nobody is left waiting."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, OSError):
        return from_os_error(error)
    complain(error)
    return Refusal("io_error", f"the sandbox's daemon could not do it ({type(error).__name__})")


def from_os_error(error: OSError) -> Refusal:
    code, message = _CODES.get(error.errno or 0, ("io_error", error.strerror or "the system refused"))
    return Refusal(code, message)
