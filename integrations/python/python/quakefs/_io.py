"""File objects over memoryviews."""

import io
import os
from typing import Any


class _View(io.RawIOBase):
    """A file over bytes in memory."""

    def __init__(self, view: memoryview, name: str) -> None:
        self._view = view
        self._at = 0
        self.name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._check()
        part = self._view[self._at : self._at + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def readall(self) -> bytes:
        self._check()
        part = bytes(self._view[self._at :])
        self._at += len(part)
        return part

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._check()
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: len(self._view)}
        if whence not in base:
            raise ValueError(f"whence is {whence}: expected 0, 1 or 2")
        if base[whence] + offset < 0:
            raise ValueError(f"the position would be {base[whence] + offset}")
        self._at = base[whence] + offset
        return self._at

    def close(self) -> None:
        # lets the archive be unmapped
        self._view = memoryview(b"")
        super().close()

    def _check(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")


def reader(view: memoryview, name: str) -> io.BufferedReader:
    """A binary file object over a view."""
    return io.BufferedReader(_View(view, name))
