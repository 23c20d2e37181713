"""Archives of the Quake family, with the methods of zipfile and of vgio."""

import io
import os
import sys
from collections.abc import Iterable

from . import _quakefs
from ._io import reader
from ._quakefs import BadPakFile, PakInfo


def is_pakfile(file) -> bool:
    """Whether a path, or a file object, is an archive that `PakFile` reads.

    >>> is_pakfile("testdata/game/id1/pak0.pak"), is_pakfile("testdata/game/mymod/notes.pak")
    (True, False)
    """
    try:
        if hasattr(file, "read"):
            at = file.tell()
            try:
                _quakefs.Archive.of_bytes(file.read())
            finally:
                file.seek(at)
        else:
            _quakefs.Archive.open(file)
    except (OSError, ValueError):
        return False
    return True


class PakFile:
    """A .pak of Quake, Quake II, SiN, Daikatana or HROT, a .pk3 or another ZIP, or a WAD.

    >>> with PakFile("testdata/game/id1/pak0.pak") as pak:
    ...     names = pak.namelist()
    ...     start = pak.read("maps/start.bsp")
    >>> names[0], len(start)
    ('quake.rc', 39)

    `mode` is "r" to read, "w" to write an archive anew, "x" to write one that is not there yet, "a" to change one. What is written is
    there whole when the archive is closed, and not before: where a `with` block ends by an exception, nothing is written. A name that is
    written twice keeps the later content.

    `kind` of a new archive is "pak", "zip" or "wad", by default the one that the path ends with; `layout` is that of a .pak, such as
    "daikatana". `mapped=False` reads an archive by position instead of mapping it: for files that other programs cut short meanwhile.

    Where an archive has a name twice, the first entry counts, as in the engines.
    """

    def __init__(self, file, mode: str = "r", *, kind: str | None = None, layout: str | None = None, mapped: bool = True) -> None:
        if mode not in ("r", "w", "x", "a"):
            raise ValueError(f"the mode is {mode!r}: expected 'r', 'w', 'x' or 'a'")
        self.mode = mode
        self._fp = file if hasattr(file, "read") or hasattr(file, "write") else None
        self.filename = getattr(file, "name", None) if self._fp else os.fspath(file)
        self._archive = None
        self._infos: list[PakInfo] | None = None
        self._new: dict[str, tuple[PakInfo, bytes, int | None]] = {}
        self._closed = False
        self._layout = layout
        if self._fp and mode in ("x", "a"):
            raise ValueError(f"the mode is {mode!r}: a file object is read, or written anew")
        if mode in ("r", "a"):
            self._archive = (
                _quakefs.Archive.of_bytes(self._fp.read(), layout)
                if self._fp
                # what is changed is not mapped: Windows replaces no file that is
                else _quakefs.Archive.open(self.filename, layout, mapped and mode == "r")
            )
            kind = self._archive.kind
        elif mode == "x" and os.path.lexists(self.filename):
            raise FileExistsError(17, "the file is there already", self.filename)
        self.kind = kind or ("pak" if self._fp else _quakefs.kind_of(self.filename))

    @classmethod
    def open_archive(cls, file, mode: str = "r", **options) -> "PakFile":
        """The same as the constructor."""
        return cls(file, mode, **options)

    def __enter__(self) -> "PakFile":
        return self

    def __exit__(self, kind, value, traceback) -> None:
        if kind is not None:
            self._new.clear()
            self._closed = self._closed or self.mode in ("w", "x")
        self.close()

    def close(self) -> None:
        """Writes what was added, and lets go of the file. Views and file objects of entries stay as they are."""
        if self._closed:
            return
        entries = [(name, content, number) for name, (_, content, number) in self._new.items()]
        if self.mode in ("w", "x"):
            path = None if self._fp else self.filename
            written = _quakefs.write_archive(path, entries, self.kind, self._layout, self.mode == "w")
            if self._fp:
                self._fp.write(written)
        elif entries:
            self._archive = None
            _quakefs.change_archive(self.filename, entries, self.kind)
        self._closed = True
        self._archive = None

    def infolist(self) -> list[PakInfo]:
        """What the archive says of each entry, in the order of the archive.

        >>> PakFile("testdata/game/id1/pak0.pak").infolist()[0].filename
        'quake.rc'
        """
        if self._infos is None:
            self._infos = self._archive.infos() if self._archive else []
        if not self._new:
            return list(self._infos)
        kept = [info for info in self._infos if info.filename not in self._new]
        return kept + [info for info, _, _ in self._new.values()]

    def namelist(self) -> list[str]:
        """The name of each entry, in the order of the archive."""
        return [info.filename for info in self.infolist()]

    filelist = property(infolist, doc="As `infolist()`; zipfile's name.")
    file_list = property(infolist, doc="As `infolist()`; vgio's name.")

    @property
    def NameToInfo(self) -> dict[str, PakInfo]:
        """The first entry of each name."""
        return {info.filename: info for info in reversed(self.infolist())}

    def __contains__(self, name: str) -> bool:
        return name in self._new or (self._archive is not None and name in self._archive)

    def __iter__(self):
        return iter(self.namelist())

    def getinfo(self, name: str) -> PakInfo:
        """What the archive says of an entry. KeyError where there is none of this name."""
        if self._pending(name) is not None:
            return self._new[name][0]
        return self._old(name).info(name)

    def read(self, name) -> bytes:
        """The content of an entry, by its name or its PakInfo. KeyError where there is none of this name.

        >>> PakFile("testdata/game/id1/pak0.pak").read("default.cfg")[:4]
        b'bind'
        """
        new = self._pending(name)
        return self._old(name).read(name) if new is None else new

    def view(self, name) -> memoryview:
        """The content as a read-only memoryview: of the mapped archive, and no copy, where the entry is stored as plain bytes. The
        archive stays mapped for as long as the view is there.

        >>> PakFile("testdata/game/id1/pak0.pak").view("default.cfg").readonly
        True
        """
        new = self._pending(name)
        return self._old(name).view(name) if new is None else memoryview(new)

    def open(self, name, mode: str = "r"):
        """An entry as a file object, binary: to read, or in mode "w" to write. What is written is an entry once the file object is
        closed."""
        if mode == "w":
            self._writable()
            return _Writer(self, name)
        if mode != "r":
            raise ValueError(f"the mode is {mode!r}: expected 'r' or 'w'")
        return reader(self.view(name), _name(name))

    def write(self, filename, arcname: str | None = None, *, type: int | None = None) -> None:
        """Adds a file of the disk, under its path without a drive and leading slashes, or under `arcname`."""
        self._writable()
        if arcname is None:
            arcname = os.path.normpath(os.path.splitdrive(os.fspath(filename))[1]).replace(os.sep, "/").lstrip("/")
        with open(filename, "rb") as file:
            self.writestr(arcname, file.read(), type=type)

    def writestr(self, name, data: "bytes | str", *, type: int | None = None) -> None:
        """Adds an entry, or takes the place of those that have its name. Text is written as UTF-8. `type` is what a WAD says the entry
        is, by a number, such as 0x44 for a texture.

        >>> buffer = io.BytesIO()
        >>> with PakFile(buffer, "w") as pak:
        ...     pak.writestr("autoexec.cfg", "echo hello")
        >>> _ = buffer.seek(0)
        >>> PakFile(buffer).namelist()
        ['autoexec.cfg']
        """
        self._writable()
        name = _name(name)
        content = data.encode() if isinstance(data, str) else bytes(data)
        self._new[name] = (PakInfo(name, file_size=len(content)), content, type)

    def extract(self, member, path=None) -> str:
        """Writes an entry below a folder, by default the current one, and returns its path there. No name leaves the folder: one that
        would is an OSError."""
        for written in self._extract([member], path):
            return written
        # an entry that stands for a folder
        return os.fspath(os.getcwd() if path is None else path)

    def extractall(self, path=None, members: Iterable | None = None) -> None:
        """Writes entries below a folder: all, or those that are given. One that cannot be written does not keep the others from it; an
        OSError names each."""
        self._extract(self.namelist() if members is None else members, path)

    def testzip(self) -> str | None:
        """Reads all, and returns the name of the first entry that is damaged; None where none is."""
        self._readable()
        for found in self._archive.verify(self.filename or "archive"):
            if found.severity == "error" and found.name is not None:
                return found.name
        return None

    def verify(self) -> "list[_quakefs.Finding]":
        """What is odd or wrong about the archive: names, places, and whether each entry can be read."""
        self._readable()
        return self._archive.verify(self.filename or "archive")

    def printdir(self, file=None) -> None:
        """Prints a table of the entries."""
        out = file or sys.stdout
        print(f"{'File Name':46} {'Size':>12}", file=out)
        for info in self.infolist():
            print(f"{info.filename:46} {info.file_size:12}", file=out)

    def __repr__(self) -> str:
        return f"<quakefs.PakFile {self.filename!r} mode={self.mode!r}{' closed' if self._closed else ''}>"

    def _readable(self) -> None:
        if self._closed:
            raise ValueError("the archive is closed")
        if self._archive is None:
            raise ValueError(f"the archive is open in mode {self.mode!r}: it can be read once it is written")

    def _writable(self) -> None:
        if self._closed:
            raise ValueError("the archive is closed")
        if self.mode == "r":
            raise ValueError("the archive is open in mode 'r': writing takes 'w', 'x' or 'a'")

    def _pending(self, name) -> bytes | None:
        """The content of an entry that is not written yet."""
        if self._closed:
            raise ValueError("the archive is closed")
        new = self._new.get(_name(name)) if self._new else None
        return None if new is None else new[1]

    def _old(self, name) -> _quakefs.Archive:
        """The archive as it was opened, in which a name is looked for."""
        if self._archive is None:
            raise KeyError(f'no entry is called "{_name(name)}"')
        return self._archive

    def _extract(self, members, path) -> list[str]:
        self._readable()
        return [os.fspath(path) for _, path in self._archive.extract(list(members), os.getcwd() if path is None else path)]


class _Writer(io.BytesIO):
    """An entry that is being written."""

    def __init__(self, pak: PakFile, name) -> None:
        super().__init__()
        self._pak = pak
        self._name = name

    def close(self) -> None:
        if not self.closed:
            self._pak.writestr(self._name, self.getvalue())
        super().close()


def _name(name) -> str:
    return name.filename if isinstance(name, PakInfo) else name
