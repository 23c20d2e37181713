"""Paths in the merged tree of a game."""

import io
import os
import pathlib
import posixpath
import stat
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import IO, Any

from . import _quakefs

_Part = str | bytes | os.PathLike[str]


class Path(Traversable):
    """A path in the merged tree of a game, like `zipfile.Path` in a ZIP. It is a `Traversable` of importlib.resources.

    >>> quake = quakefs.mount("testdata/game", games="mymod")
    >>> start = quake / "maps" / "start.bsp"
    >>> start.name, start.suffix, start.is_file()
    ('start.bsp', '.bsp', True)
    >>> [str(path) for path in start.parent.glob("m*")]
    ['maps/mine.bsp', 'maps/mymod1.bsp']
    """

    def __init__(self, root: "_quakefs.SearchPath", at: _Part = "") -> None:
        """`at` has `/` between its parts, and is empty for the root."""
        self.root = root
        self.at = _text(at).rstrip("/")
        if self.at == ".":
            self.at = ""

    @property
    def name(self) -> str:
        """The last part."""
        return posixpath.basename(self.at)

    @property
    def suffix(self) -> str:
        """The extension with its dot."""
        return self._pure().suffix

    @property
    def suffixes(self) -> list[str]:
        """All extensions, each with its dot."""
        return self._pure().suffixes

    @property
    def stem(self) -> str:
        """The last part without its extension."""
        return self._pure().stem

    @property
    def parent(self) -> "Path":
        """The path of the folder that contains this one."""
        return Path(self.root, posixpath.dirname(self.at))

    def joinpath(self, *others: _Part) -> "Path":
        """The path of an item in this folder."""
        parts = [part for other in others for part in _text(other).split("/") if part not in ("", ".")]
        return Path(self.root, "/".join([self.at, *parts] if self.at else parts))

    def __truediv__(self, other: _Part) -> "Path":
        return self.joinpath(other)

    def relative_to(self, other: "Path", *parts: _Part) -> str:
        """This path relative to another one."""
        return posixpath.relpath(self.at or ".", other.joinpath(*parts).at or ".")

    def match(self, pattern: str) -> bool:
        """Whether the path matches, as by `pathlib.PurePath.match`."""
        return self._pure().match(pattern)

    def iterdir(self) -> Iterator["Path"]:
        """The items of the folder, sorted by name."""
        return iter([self.joinpath(name) for name, _ in self.root._list(self.at)])

    def is_dir(self) -> bool:
        """Whether this is a folder."""
        return not self.at or self.root._is_dir(self.at)

    def is_file(self) -> bool:
        """Whether this is a file."""
        return bool(self.at) and self.at in self.root

    def is_symlink(self) -> bool:
        """Always False: a link on the disk counts as the file it leads to."""
        return False

    def exists(self) -> bool:
        """Whether this is a file or a folder."""
        return self.is_file() or self.is_dir()

    def stat(self) -> os.stat_result:
        """Kind, size and modification time, as by `pathlib.Path.stat`. The other fields are 0."""
        file = self.root.find(self.at) if self.at else None
        if file is not None:
            modified = file.modified or 0.0
            return os.stat_result((stat.S_IFREG | 0o444, 0, 0, 1, 0, 0, file.size, modified, modified, modified))
        if self.is_dir():
            return os.stat_result((stat.S_IFDIR | 0o555, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        raise FileNotFoundError(2, "no layer has this file", self.at)

    def walk(self, top_down: bool = True) -> Iterator[tuple["Path", list[str], list[str]]]:
        """Each folder from this one on, with the names of its folders and of its files, as by `pathlib.Path.walk`. With `top_down`,
        names that the caller removes from the list of folders are skipped."""
        items = self.root._list(self.at)
        folders = [name for name, is_folder in items if is_folder]
        files = [name for name, is_folder in items if not is_folder]
        if top_down:
            yield self, folders, files
        for name in folders:
            yield from self.joinpath(name).walk(top_down)
        if not top_down:
            yield self, folders, files

    def glob(self, pattern: str) -> Iterator["Path"]:
        """The files below this folder whose names match `*`, `**` (folders between), `?`, `[a-z]` or `{a,b}`. Folders never match."""
        return iter([Path(self.root, file.name) for file in self.root._glob(self.at, pattern)])

    def rglob(self, pattern: str) -> Iterator["Path"]:
        """The files in this folder, and in all folders below it, whose names match."""
        return self.glob(f"**/{pattern}")

    def read_bytes(self) -> bytes:
        """The content."""
        with self.open("rb") as file:
            content: bytes = file.read()
            return content

    def read_text(self, *args: Any, **kwargs: Any) -> str:
        """The content as text, UTF-8 by default. The arguments are those of `io.TextIOWrapper`."""
        with self.open("r", *args, **kwargs) as file:
            text: str = file.read()
            return text

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> IO[Any]:
        """A file object: text in mode "r", with the arguments of `io.TextIOWrapper`; binary in mode "rb"."""
        if mode not in ("r", "rb", "rt"):
            raise ValueError(f"the mode is {mode!r}: a mounted game is read only, expected 'r' or 'rb'")
        if mode == "rb" and (args or kwargs):
            raise ValueError("a binary file has no encoding")
        try:
            file = self.root.open(self.at)
        except FileNotFoundError:
            if self.is_dir():
                raise IsADirectoryError(21, "this is a folder", self.at) from None
            raise
        if mode == "rb":
            return file
        encoding, *rest = args or (kwargs.pop("encoding", None),)
        return io.TextIOWrapper(file, encoding or "utf-8", *rest, **kwargs)

    def _pure(self) -> pathlib.PurePosixPath:
        return pathlib.PurePosixPath(self.at)

    def __str__(self) -> str:
        return self.at

    def __repr__(self) -> str:
        return f"quakefs.Path({self.root!r}, {self.at!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.root is other.root and self.at == other.at

    def __hash__(self) -> int:
        return hash((id(self.root), self.at))


def _text(part: _Part) -> str:
    if isinstance(part, bytes):
        return part.decode("utf-8", "surrogateescape")
    if isinstance(part, pathlib.PurePath):
        return part.as_posix()
    return str(part) if isinstance(part, Path) else os.fspath(part)
