"""Archives of the Quake family, with the methods of zipfile and of vgio."""

import io
import os
import string
import sys
import warnings
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import IO, Any, NamedTuple, TextIO

from . import _quakefs
from ._io import reader
from ._quakefs import Finding, PakInfo

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Name = str | bytes | PakInfo


def is_pakfile(file: _Path | IO[bytes]) -> bool:
    """Whether a path, or a file object, is an archive that `PakFile` reads.

    >>> is_pakfile("testdata/game/id1/pak0.pak"), is_pakfile("testdata/game/mymod/notes.pak")
    (True, False)
    """
    try:
        if isinstance(file, (str, bytes, os.PathLike)):
            _quakefs.Archive.open(os.fsdecode(file))
        else:
            at = file.tell()
            try:
                _quakefs.Archive.of_bytes(_whole(file))
            finally:
                file.seek(at)
    except (OSError, ValueError):
        return False
    return True


class _Added(NamedTuple):
    """An entry that is not written yet."""

    info: PakInfo
    content: bytes
    type: int | None


class PakFile:
    """A .pak of Quake, Quake II, SiN, Daikatana or HROT, a .pk3 or another ZIP, or a WAD.

    >>> with PakFile("testdata/game/id1/pak0.pak") as pak:
    ...     names = pak.namelist()
    ...     start = pak.read("maps/start.bsp")
    >>> names[0], len(start)
    ('quake.rc', 39)

    `mode` is "r" to read, "w" to write an archive anew, "x" to write one that is not there yet, "a" to change one, or to write one where
    there is none. What is written is there whole when the archive is closed, and not before: where a `with` block ends by an exception,
    nothing is written. An archive that is not closed is not written, and a ResourceWarning says so. A name that is written twice keeps
    the later content.

    `kind` of a new archive is "pak", "zip" or "wad", by default the one that the path ends with; `layout` is that of a .pak, such as
    "daikatana". `mapped=False` reads an archive by position instead of mapping it: for files that other programs cut short meanwhile.

    Where an archive has a name twice, the first entry counts, as in the engines. Threads may read of one PakFile at a time; writing is
    for one of them.
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
                raise ValueError("no path has a NUL")
        else:
            self._fp = file
            # a file without a name has a number there
            name = getattr(file, "name", None)
            self.filename = os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else None
            if mode in ("x", "a"):
                raise ValueError(f"the mode is {mode!r}: a file object is read, or written anew")
        self._layout = layout
        # what is changed is not mapped: Windows replaces no file that is
        self._mapped = mapped and mode == "r"
        self._archive: _quakefs.Archive | None = None
        self._infos: list[PakInfo] | None = None
        self._new: dict[str, _Added] = {}
        # of a WAD, by the name without case, which is how engines take it
        self._spelled: dict[str, str] | None = None
        self._stamp: tuple[int, ...] | None = None
        self._writers: set[_Writer] = set()
        self._is_new = mode in ("w", "x") or (mode == "a" and not os.path.lexists(self.filename or ""))
        if self._is_new:
            if mode == "x" and os.path.lexists(self.filename or ""):
                raise FileExistsError(17, "the file is there already", self.filename)
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
            return _quakefs.Archive.of_bytes(_whole(self._fp), self._layout, self.filename)
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
        """Writes what was added, and lets go of the file. Views and file objects of entries stay as they are. Where it fails, the archive
        stays open, so that it can be closed again."""
        if self._closed:
            return
        if self._writers:
            raise ValueError("an entry is still being written: its file object has to be closed before the archive")
        entries = [(info.filename, content, type) for info, content, type in self._new.values()]
        if self._is_new:
            path = self.filename if self._fp is None else None
            written = _quakefs.write_archive(path, entries, self.kind, self._layout, self.mode == "w")
            if self._fp is not None:
                assert written is not None
                _write_all(self._fp, written)
        elif entries:
            assert self.filename is not None
            # Windows replaces no file that is open; it is opened again where it is asked
            self._archive = self._infos = None
            if _stamp(self.filename) != self._stamp:
                self._on_disk()
                raise OSError(16, "another program changed the archive since it was opened: closing it again adds to what is there", self.filename)
            _quakefs.change_archive(self.filename, entries, self._layout)
        self._closed = True
        self._archive = None

    def infolist(self) -> list[PakInfo]:
        """What the archive says of each entry, in the order of the archive.

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
            # what takes the place of several stands for each of them in a pak, and for the first in others
            if new is None or self.kind == "pak" or info.filename not in placed:
                infos.append(info if new is None else new.info)
                placed.add(info.filename)
        return infos + [new.info for name, new in self._new.items() if name not in placed]

    def namelist(self) -> list[str]:
        """The name of each entry, in the order of the archive."""
        return [info.filename for info in self.infolist()]

    @property
    def filelist(self) -> list[PakInfo]:
        """As `infolist()`; zipfile's name."""
        return self.infolist()

    @property
    def file_list(self) -> list[PakInfo]:
        """As `infolist()`; vgio's name."""
        return self.infolist()

    @property
    def NameToInfo(self) -> dict[str, PakInfo]:
        """The first entry of each name."""
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
        """What the archive says of an entry. KeyError where there is none of this name."""
        new = self._added(name)
        return self._old(name).info(name) if new is None else new.info

    def read(self, name: _Name) -> bytes:
        """The content of an entry, by its name or its PakInfo. KeyError where there is none of this name.

        >>> PakFile("testdata/game/id1/pak0.pak").read("default.cfg")[:4]
        b'bind'
        """
        new = self._added(name)
        return self._old(name).read(name) if new is None else new.content

    def view(self, name: _Name) -> memoryview:
        """The content as a read-only memoryview: of the mapped archive, and no copy, where the entry is stored as plain bytes. The
        archive stays mapped for as long as the view is there.

        >>> PakFile("testdata/game/id1/pak0.pak").view("default.cfg").readonly
        True
        """
        new = self._added(name)
        return self._old(name).view(name) if new is None else memoryview(new.content)

    def open(self, name: _Name, mode: str = "r") -> IO[bytes]:
        """An entry as a file object, binary: to read, or in mode "w" to write. What is written is an entry once the file object is
        closed, which it has to be before the archive is; where its `with` block ends by an exception, it is none."""
        if mode == "w":
            return _Writer(self, self._new_name(name))
        if mode != "r":
            raise ValueError(f"the mode is {mode!r}: expected 'r' or 'w'")
        return reader(self.view(name), _text(name))

    def write(self, filename: _Path, arcname: _Name | None = None, *, type: int | None = None) -> None:
        """Adds a file of the disk, under its path without a drive and leading slashes, or under `arcname`."""
        self._writable()
        if arcname is None:
            arcname = os.path.normpath(os.path.splitdrive(os.fsdecode(filename))[1]).replace(os.sep, "/").lstrip("/")
        with open(filename, "rb") as file:
            self.writestr(arcname, file.read(), type=type)

    def writestr(self, name: _Name, data: bytes | bytearray | memoryview | str, *, type: int | None = None) -> None:
        """Adds an entry, or takes the place of those that have its name. Text is written as UTF-8. `type` is what a WAD says the entry
        is, by a number, such as 0x44 for a texture.

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
        """Writes an entry below a folder, by default the current one, and returns its path there. No name leaves the folder: one that
        would is an OSError. `limit` is as for `extractall`."""
        for written in self._extract([member], path, limit):
            return written
        # an entry that stands for a folder
        return os.getcwd() if path is None else os.fsdecode(path)

    def extractall(self, path: _Path | None = None, members: Iterable[_Name] | None = None, *, limit: int | None = None) -> None:
        """Writes entries below a folder: all, or those that are given. One that cannot be written does not keep the others from it; an
        OSError names each.

        `limit` is the most bytes that the entries may have together, by default 1 GiB, or 100 bytes for each byte of the archive where
        that is more: a small archive can claim to be a disk full of zeros."""
        self._extract(self.namelist() if members is None else members, path, limit)

    def testzip(self) -> str | None:
        """Reads all, and returns the name of the first entry that cannot be read; None where all can."""
        return self._written().damaged()

    def verify(self) -> list[Finding]:
        """What is odd or wrong about the archive: names, places, and whether each entry can be read."""
        return self._written().verify()

    def printdir(self, file: TextIO | None = None) -> None:
        """Prints a table of the entries."""
        out = file or sys.stdout
        print(f"{'File Name':46} {'Size':>12}", file=out)
        for info in self.infolist():
            print(f"{info.filename:46} {info.file_size:12}", file=out)

    def __repr__(self) -> str:
        return f"<quakefs.PakFile {self.filename!r} mode={self.mode!r}{' closed' if self._closed else ''}>"

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the archive is closed")

    def _on_disk(self) -> _quakefs.Archive | None:
        """The archive as it was opened; None for one that is new."""
        if self._archive is None and not self._is_new:
            self._archive = self._opened()
        return self._archive

    def _written(self) -> _quakefs.Archive:
        """The archive on disk, where it is all that there is."""
        self._check_open()
        archive = self._on_disk()
        if archive is None or self._new:
            raise ValueError("the archive has entries that are not written yet: it has to be closed and opened again for this")
        return archive

    def _writable(self) -> None:
        self._check_open()
        if self.mode == "r":
            raise ValueError("the archive is open in mode 'r': writing takes 'w', 'x' or 'a'")

    def _new_name(self, name: _Name) -> str:
        """A name that an entry can have, as the archive spells it where it has it already."""
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
        """The archive as it was opened, in which a name is looked for."""
        archive = self._on_disk()
        if archive is None:
            raise KeyError(f'no entry is called "{_text(name)}"')
        return archive

    def _extract(self, members: Iterable[_Name], path: _Path | None, limit: int | None) -> list[str]:
        folder = os.getcwd() if path is None else os.fsdecode(path)
        return [os.fspath(written) for _, written in self._written().extract(list(members), folder, limit)]


class _Writer(io.BytesIO):
    """An entry that is being written."""

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


# engines know no capitals but those of ASCII
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _stamp(path: str) -> tuple[int, ...]:
    found = os.stat(path)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _write_all(file: IO[bytes], content: bytes) -> None:
    # a file object without a buffer may take a part at a time
    rest = memoryview(content)
    while rest:
        written = file.write(rest)
        if written == 0:
            raise OSError(5, "the file object takes no more bytes", getattr(file, "name", None))
        rest = rest[len(rest) if written is None else written :]


def _text(name: _Name) -> str:
    """The name that a str, bytes, or a PakInfo or ZipInfo stands for."""
    name = getattr(name, "filename", name)
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    if not isinstance(name, str):
        raise TypeError("a name is a str, or bytes")
    return name


def _whole(file: IO[bytes]) -> bytes:
    """What a file object holds, wherever it stands."""
    if file.seekable():
        file.seek(0)
    return file.read()
