"""Paths in the merged tree of a game."""

import io
import posixpath
from collections.abc import Iterator
from importlib.resources.abc import Traversable

from . import _quakefs


class Path(Traversable):
    """A path in the merged tree of a game, as `zipfile.Path` is one in a ZIP. It is a `Traversable` of importlib.resources.

    >>> quake = quakefs.mount("testdata/game", game="mymod")
    >>> start = quake / "maps" / "start.bsp"
    >>> start.name, start.suffix, start.is_file()
    ('start.bsp', '.bsp', True)
    >>> [str(path) for path in start.parent.glob("m*")]
    ['maps/mine.bsp', 'maps/mymod1.bsp']
    """

    def __init__(self, root: "_quakefs.SearchPath", at: str = "") -> None:
        """`at` is a name with `/` between its parts; that of the root is empty."""
        self.root = root
        self.at = posixpath.normpath(at).lstrip("/") if at.strip("/") not in ("", ".") else ""

    @property
    def name(self) -> str:
        """The last part."""
        return posixpath.basename(self.at)

    @property
    def suffix(self) -> str:
        """The extension with its dot."""
        return posixpath.splitext(self.name)[1]

    @property
    def stem(self) -> str:
        """The last part without its extension."""
        return posixpath.splitext(self.name)[0]

    @property
    def parent(self) -> "Path":
        """The folder."""
        return Path(self.root, posixpath.dirname(self.at))

    def joinpath(self, *others: str) -> "Path":
        """The path of something below."""
        return Path(self.root, posixpath.join(self.at, *map(str, others)))

    def __truediv__(self, other: str) -> "Path":
        return self.joinpath(other)

    def iterdir(self) -> Iterator["Path"]:
        """What is in the folder, sorted by name."""
        return iter([self.joinpath(name) for name, _ in self.root._list(self.at)])

    def is_dir(self) -> bool:
        """Whether there is such a folder."""
        return not self.at or self.root._is_dir(self.at)

    def is_file(self) -> bool:
        """Whether there is such a file."""
        return bool(self.at) and self.at in self.root

    def exists(self) -> bool:
        """Whether there is such a file or folder."""
        return self.is_file() or self.is_dir()

    def glob(self, pattern: str) -> Iterator["Path"]:
        """The files below whose names match: `*`, `**` for folders too, `?`, `[a-z]`."""
        files = self.root.glob(posixpath.join(self.at, pattern))
        return iter([Path(self.root, file.name) for file in files])

    def read_bytes(self) -> bytes:
        """The content."""
        return self.root.read(self.at)

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        """The content as text, UTF-8 where no encoding is given."""
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def open(self, mode: str = "r", *args, encoding: str | None = None, errors: str | None = None, **kwargs):
        """A file object: text in mode "r", binary in "rb"."""
        if mode not in ("r", "rb", "rt"):
            raise ValueError(f"the mode is {mode!r}: a mounted game is read only, so that it is 'r' or 'rb'")
        file = self.root.open(self.at)
        if mode == "rb":
            return file
        return io.TextIOWrapper(file, encoding or "utf-8", errors, *args, **kwargs)

    def __str__(self) -> str:
        return self.at

    def __repr__(self) -> str:
        return f"quakefs.Path({self.root!r}, {self.at!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.root is other.root and self.at == other.at

    def __hash__(self) -> int:
        return hash((id(self.root), self.at))
