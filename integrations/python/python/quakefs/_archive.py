"""Archives of the Quake family, with the methods of zipfile and of vgio."""

import io
import os
import string
import sys
import warnings
from collections.abc import Iterable, Iterator
from html import escape
from types import TracebackType
from typing import IO, Any, NamedTuple, TextIO

from . import _quakefs
from ._html import of_archive
from ._io import reader
from ._quakefs import PakInfo
from ._rows import FindingRow

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Name = str | bytes | PakInfo


def is_pakfile(file: _Path | IO[bytes]) -> bool:
    """Whether a path or a file object is an archive that `PakFile` can read.

    >>> is_pakfile("testdata/game/id1/pak0.pak"), is_pakfile("testdata/game/mymod/notes.pak")
    (True, False)
    """
    try:
        if isinstance(file, (str, bytes, os.PathLike)):
            _quakefs.Archive.open(os.fsdecode(file))
        else:
            at = file.tell()
            try:
                _opened(file)
            finally:
                file.seek(at)
    except (OSError, ValueError):
        return False
    return True


class _Added(NamedTuple):
    """An entry that was added but not written yet."""

    info: PakInfo
    content: bytes
    type: int | None


class PakFile:
    """A .pak of Quake, Quake II, SiN, Daikatana or HROT, a .pk3 or another ZIP, or a WAD.

    >>> with PakFile("testdata/game/id1/pak0.pak") as pak:
    ...     names = pak.namelist()
    ...     start = pak.read("maps/start.bsp")
    >>> names[0], len(start)
    ('quake.rc', 201)

    `mode` is "r" to read, "w" to write a new archive over an existing one, "x" to write one that does not exist yet, "a" to change an
    archive or create it. Closing the archive writes it completely; before that, nothing is written. If a `with` block ends with an exception,
    nothing is written. An archive that is never closed is not written either; Python then shows a ResourceWarning. If a name is written
    twice, the later content counts.

    `kind` of a new archive is "pak", "zip" or "wad", by default chosen by the extension. `layout` chooses the layout of a .pak, such as
    "daikatana". `mapped=False` reads an archive by position instead of mapping it: use this if other programs may shorten the file.

    A file object that can seek is read by position: an archive is listed by at most three reads, and a file is read by one or
    two. It has to stay open as long as entries are read.

    If an archive contains a name twice, the first entry counts, as in the engines. Several threads may read from one PakFile; only one
    may write.
    """

    # until it is open
    _closed = True

    def __init__(
        self,
        file: _Path | IO[bytes],
        mode: str = "r",
        *,
        kind: str | None = None,
        layout: str | None = None,
        mapped: bool = True,
    ) -> None:
        if mode not in ("r", "w", "x", "a"):
            raise ValueError(f"the mode is {mode!r}: expected 'r', 'w', 'x' or 'a'")
        self.mode = mode
        self.filename: str | None
        if isinstance(file, (str, bytes, os.PathLike)):
            self._fp = None
            self.filename = os.fsdecode(file)
            if "\0" in self.filename:
                raise ValueError("a path cannot contain a NUL")
        elif not (hasattr(file, "read") or hasattr(file, "write")):
            raise TypeError(f"expected a path or a file object, not {type(file).__name__}")
        else:
            self._fp = file
            # an unnamed file has a number as its name
            name = getattr(file, "name", None)
            self.filename = os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else None
            if mode in ("x", "a"):
                raise ValueError(f"the mode is {mode!r}: a file object can only be read, or written from the start")
        self._layout = layout
        # an archive to be changed is not mapped, because Windows cannot replace a mapped file
        self._mapped = mapped and mode == "r"
        self._archive: _quakefs.Archive | None = None
        self._infos: list[PakInfo] | None = None
        self._new: dict[str, _Added] = {}
        # spellings of a WAD by lower-case name, because engines ignore case there
        self._spelled: dict[str, str] | None = None
        self._stamp: tuple[int, ...] | None = None
        self._writers: set[_Writer] = set()
        self._is_new = mode in ("w", "x") or (mode == "a" and not os.path.lexists(self.filename or ""))
        if self._is_new:
            if mode == "x" and os.path.lexists(self.filename or ""):
                raise FileExistsError(17, "the file exists already", self.filename)
            self.kind = kind if kind is not None else _quakefs.kind_of(self.filename or "")
            _quakefs.check_new(self.kind, layout)
        else:
            self._archive = self._opened()
            self.kind = self._archive.kind
            self._layout = self._archive.layout
            if kind not in (None, self.kind):
                raise ValueError(f"the kind is {kind!r}: this archive is a {self.kind!r}")
        self._closed = False

    def _opened(self) -> _quakefs.Archive:
        if self._fp is not None:
            return _opened(self._fp, self._layout, self.filename)
        assert self.filename is not None
        stamp = _stamp(self.filename) if self.mode == "a" else None
        archive = _quakefs.Archive.open(self.filename, self._layout, self._mapped)
        self._stamp = stamp
        return archive

    def __del__(self) -> None:
        if not self._closed and (self._is_new or self._new):
            warnings.warn(f"{self!r} was not closed: nothing is written", ResourceWarning, source=self)

    def __enter__(self) -> "PakFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        if kind is not None:
            self._closed = True
            self._archive = None
            self._new.clear()
            self._writers.clear()
        self.close()

    def close(self) -> None:
        """Writes the added entries and releases the file. Views and file objects of entries stay usable. If writing fails, the archive
        stays open and can be closed again."""
        if self._closed:
            return
        if self._writers:
            raise ValueError("an entry is still being written: close its file object before the archive")
        entries = [(info.filename, content, type) for info, content, type in self._new.values()]
        if self._is_new:
            path = self.filename if self._fp is None else None
            written = _quakefs.write_archive(path, entries, self.kind, self._layout, self.mode == "w")
            if self._fp is not None:
                assert written is not None
                _write_all(self._fp, written)
        elif entries:
            assert self.filename is not None
            # Windows cannot replace an open file; the archive is opened again when it is used
            self._archive = self._infos = None
            if _stamp(self.filename) != self._stamp:
                self._on_disk()
                raise OSError(16, "another program changed the archive after it was opened: close it again to add to the present content", self.filename)
            _quakefs.change_archive(self.filename, entries, self._layout)
        self._closed = True
        self._archive = None

    def infolist(self) -> list[PakInfo]:
        """The row of each entry, in the order of the archive.

        >>> PakFile("testdata/game/id1/pak0.pak").infolist()[0].filename
        'quake.rc'
        """
        self._check_open()
        if self._infos is None:
            archive = self._on_disk()
            self._infos = archive.infos() if archive else []
        if not self._new:
            return list(self._infos)
        infos: list[PakInfo] = []
        placed: set[str] = set()
        for info in self._infos:
            new = self._new.get(info.filename)
            # a new entry replaces each entry of its name in a pak, and only the first one in other archives
            if new is None or self.kind == "pak" or info.filename not in placed:
                infos.append(info if new is None else new.info)
                placed.add(info.filename)
        return infos + [new.info for name, new in self._new.items() if name not in placed]

    def namelist(self) -> list[str]:
        """The name of each entry, in the order of the archive."""
        return [info.filename for info in self.infolist()]

    @property
    def filelist(self) -> list[PakInfo]:
        """The same as `infolist()`, under the name that zipfile uses."""
        return self.infolist()

    @property
    def file_list(self) -> list[PakInfo]:
        """The same as `infolist()`, under the name that vgio uses."""
        return self.infolist()

    @property
    def NameToInfo(self) -> dict[str, PakInfo]:
        """The first entry for each name."""
        infos: dict[str, PakInfo] = {}
        for info in self.infolist():
            infos.setdefault(info.filename, info)
        return infos

    def __contains__(self, name: _Name) -> bool:
        self._check_open()
        text = _text(name)
        archive = self._on_disk()
        return text in self._new or (archive is not None and text in archive)

    def __iter__(self) -> Iterator[str]:
        return iter(self.namelist())

    def getinfo(self, name: _Name) -> PakInfo:
        """The row of an entry. Raises KeyError if no entry has this name."""
        new = self._added(name)
        return self._old(name).info(name) if new is None else new.info

    def read(self, name: _Name) -> bytes:
        """The content of an entry, by its name or PakInfo. Raises KeyError if no entry has this name.

        >>> PakFile("testdata/game/id1/pak0.pak").read("default.cfg")[:4]
        b'bind'
        """
        new = self._added(name)
        return self._old(name).read(name) if new is None else new.content

    def view(self, name: _Name) -> memoryview:
        """The content as a read-only memoryview. An uncompressed entry is not copied: the view shows the mapped archive, which stays
        mapped as long as the view exists.

        >>> PakFile("testdata/game/id1/pak0.pak").view("default.cfg").readonly
        True
        """
        new = self._added(name)
        return self._old(name).view(name) if new is None else memoryview(new.content)

    def open(self, name: _Name, mode: str = "r") -> IO[bytes]:
        """A binary file object that reads an entry, or writes one in mode "w". The entry is added when the file object is closed, which
        must happen before the archive is closed. If its `with` block ends with an exception, no entry is added."""
        if mode == "w":
            return _Writer(self, self._new_name(name))
        if mode != "r":
            raise ValueError(f"the mode is {mode!r}: expected 'r' or 'w'")
        return reader(self.view(name), _text(name))

    def write(self, filename: _Path, arcname: _Name | None = None, *, type: int | None = None) -> None:
        """Adds a file from disk as `arcname`, or as its path without drive and leading slashes."""
        self._writable()
        if arcname is None:
            arcname = os.path.normpath(os.path.splitdrive(os.fsdecode(filename))[1]).replace(os.sep, "/").lstrip("/")
        with open(filename, "rb") as file:
            self.writestr(arcname, file.read(), type=type)

    def writestr(self, name: _Name, data: bytes | bytearray | memoryview | str, *, type: int | None = None) -> None:
        """Adds an entry, or replaces the entries of this name. Text is written as UTF-8. `type` is the entry's type number in a WAD,
        such as 0x44 for a texture.

        >>> buffer = io.BytesIO()
        >>> with PakFile(buffer, "w") as pak:
        ...     pak.writestr("autoexec.cfg", "echo hello")
        >>> PakFile(buffer).namelist()
        ['autoexec.cfg']
        """
        text = self._new_name(name)
        if type is not None and not 0 <= type <= 255:
            raise ValueError(f"the type is {type}: expected a number from 0 to 255")
        content = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        self._new[text] = _Added(PakInfo(text, file_size=len(content)), content, type)

    def extract(self, member: _Name, path: _Path | None = None, *, limit: int | None = None) -> str:
        """Writes an entry below a folder, by default the current one, and returns its path. A name that would leave the folder raises
        OSError. `limit` is explained at `extractall`."""
        for written in self._extract([member], path, limit):
            return written
        # the entry is a folder
        return os.getcwd() if path is None else os.fsdecode(path)

    def extractall(self, path: _Path | None = None, members: Iterable[_Name] | None = None, *, limit: int | None = None) -> None:
        """Writes all entries, or only `members`, below a folder. If some entries cannot be written, it writes the others, and then raises an OSError that names each failure.

        `limit` is the largest number of bytes that the entries may have together, by default 1 GiB or 100 bytes for each byte of the
        archive, whichever is more. It protects from small archives that claim to contain a disk full of zeros."""
        self._extract(self.namelist() if members is None else members, path, limit)

    def testzip(self) -> str | None:
        """Reads every entry. Returns the name of the first unreadable entry, or None."""
        return self._written().damaged()

    def verify(self) -> list[FindingRow]:
        """Problems of the archive: bad names, overlapping entries, and entries that cannot be read."""
        return self._written().verify()

    def printdir(self, file: TextIO | None = None) -> None:
        """Prints a table of the entries."""
        out = file or sys.stdout
        print(f"{'File Name':46} {'Size':>12}", file=out)
        for info in self.infolist():
            print(f"{info.filename:46} {info.file_size:12}", file=out)

    def __len__(self) -> int:
        return len(self.namelist())

    def _repr_html_(self) -> str:
        return escape(repr(self)) if self._closed else of_archive(self)

    def __repr__(self) -> str:
        return f"<quakefs.PakFile {self.filename!r} mode={self.mode!r}{' closed' if self._closed else ''}>"

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the archive is closed")

    def _on_disk(self) -> _quakefs.Archive | None:
        """The opened archive; None for a new archive."""
        if self._archive is None and not self._is_new:
            self._archive = self._opened()
        return self._archive

    def _written(self) -> _quakefs.Archive:
        """The archive on disk. Raises ValueError if entries are not written yet."""
        self._check_open()
        archive = self._on_disk()
        if archive is None or self._new:
            raise ValueError("the archive has entries that are not written yet: close it and open it again first")
        return archive

    def _writable(self) -> None:
        self._check_open()
        if self.mode == "r":
            raise ValueError("the archive is open in mode 'r': writing needs 'w', 'x' or 'a'")

    def _new_name(self, name: _Name) -> str:
        """The name for an entry, in the archive's own spelling if it contains the name already."""
        self._writable()
        text = self._spelling(_text(name))
        archive = self._on_disk()
        if archive is None or text not in archive:
            _quakefs.check_new(self.kind, self._layout, text)
        return text

    def _spelling(self, name: str) -> str:
        if self.kind != "wad":
            return name
        if self._spelled is None:
            self._spelled = {}
            for old in self.namelist():
                self._spelled.setdefault(old.translate(_LOWER), old)
        return self._spelled.setdefault(name.translate(_LOWER), name)

    def _added(self, name: _Name) -> _Added | None:
        self._check_open()
        return self._new.get(_text(name)) if self._new else None

    def _old(self, name: _Name) -> _quakefs.Archive:
        """The opened archive, for looking up a name."""
        archive = self._on_disk()
        if archive is None:
            raise KeyError(f'no entry is called "{_text(name)}"')
        return archive

    def _extract(self, members: Iterable[_Name], path: _Path | None, limit: int | None) -> list[str]:
        folder = os.getcwd() if path is None else os.fsdecode(path)
        return [os.fspath(written) for _, written in self._written().extract(list(members), folder, limit)]


class _Writer(io.BytesIO):
    """A file object that writes an entry."""

    def __init__(self, pak: PakFile, name: str) -> None:
        super().__init__()
        self._pak = pak
        self._name = name
        pak._writers.add(self)

    def close(self) -> None:
        if self.closed:
            return
        self._pak._writers.discard(self)
        try:
            self._pak.writestr(self._name, self.getvalue())
        finally:
            super().close()

    def __exit__(self, kind: type[BaseException] | None, *what: Any) -> None:
        if kind is not None:
            self._pak._writers.discard(self)
            super().close()
        self.close()


# engines fold only ASCII capitals
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _stamp(path: str) -> tuple[int, ...]:
    found = os.stat(path)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _write_all(file: IO[bytes], content: bytes) -> None:
    # an unbuffered file object may write only a part
    rest = memoryview(content)
    while rest:
        written = file.write(rest)
        if written == 0:
            raise OSError(5, "the file object accepts no more bytes", getattr(file, "name", None))
        rest = rest[len(rest) if written is None else written :]


def _text(name: _Name) -> str:
    """The name in a str, bytes, PakInfo or ZipInfo."""
    name = getattr(name, "filename", name)
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    if not isinstance(name, str):
        raise TypeError("a name must be str or bytes")
    return name


def _opened(file: IO[bytes], layout: str | None = None, name: str | None = None) -> _quakefs.Archive:
    """The archive in a file object, from its start."""
    if isinstance(file, io.BytesIO):
        return _quakefs.Archive.of_bytes(file.getvalue(), layout, name)
    if not hasattr(file, "seek") or (hasattr(file, "seekable") and not file.seekable()):
        return _quakefs.Archive.of_bytes(file.read(), layout, name)
    return _quakefs.Archive.of_file(file, layout, name)
