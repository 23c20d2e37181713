"""Filesystems for fsspec: `pak://` is an archive, `quake://` the files that an engine would load."""

import io
import warnings
from datetime import UTC, datetime
from typing import Any

from fsspec.core import url_to_fs  # type: ignore[import-untyped,import-not-found,unused-ignore]
from fsspec.implementations.local import LocalFileSystem  # type: ignore[import-untyped,import-not-found,unused-ignore]
from fsspec.spec import AbstractFileSystem  # type: ignore[import-untyped,import-not-found,unused-ignore]

from . import _quakefs
from ._io import reader
from ._mount import mount
from ._quakefs import PakInfo, SearchPath

#: fsspec's own options
_OPTIONS = ("use_listings_cache", "listings_expiry_time", "max_paths", "skip_instance_cache", "asynchronous", "loop")


class _Files(AbstractFileSystem):  # type: ignore[misc,unused-ignore]
    """Files that can only be read."""

    root_marker = ""
    # an archive may be replaced, and a game may change
    cachable = False

    def _names(self, folder: str) -> list[str]:
        raise NotImplementedError

    def _view(self, path: str) -> memoryview:
        raise NotImplementedError

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        stripped = super()._strip_protocol(path)
        return [part.strip("/") for part in stripped] if isinstance(stripped, list) else stripped.strip("/")

    def ls(self, path: str, detail: bool = True, **options: Any) -> list[Any]:
        """The items of a folder."""
        path = self._strip_protocol(path)
        if self.info(path)["type"] == "file":
            items = [path]
        else:
            items = [f"{path}/{name}" if path else name for name in self._names(path)]
        return [self.info(item) for item in items] if detail else items

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        """The content of a file, or a part of it."""
        return bytes(self._view(self._strip_protocol(path))[start:end])

    def _open(self, path: str, mode: str = "rb", **options: Any) -> io.BufferedReader:
        if mode != "rb":
            raise ValueError(f"the mode is {mode!r}: expected 'rb', because nothing can be written")
        return reader(self._view(path), path)


class PakFileSystem(_Files):
    """An archive that PakFile reads, local or remote, by position: `pak://gfx/palette.lmp::https://example.org/pak0.pak`."""

    protocol = "pak"

    def __init__(
        self,
        fo: Any,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        layout: str | None = None,
        **options: Any,
    ) -> None:
        """`fo` is a path, a URL or a file object."""
        super().__init__(**options)
        if hasattr(fo, "read"):
            self._archive = _quakefs.Archive.of_file(fo, layout)
        else:
            self._archive = _quakefs.Archive.on(*_target(fo, target_protocol, target_options), layout)
        self._infos: dict[str, PakInfo] = {}
        self._folders: dict[str, dict[str, None]] = {"": {}}
        unlisted: list[str] = []
        for info in self._archive.infos():
            path = info.filename.strip("/")
            if path and not info._is_path():
                unlisted.append(info.filename)
                continue
            if not info.is_dir():
                # the first entry of a name counts
                self._infos.setdefault(path, info)
            elif path:
                self._folders.setdefault(path, {})
            while path:
                folder, _, name = path.rpartition("/")
                is_known = folder in self._folders
                self._folders.setdefault(folder, {})[name] = None
                path = "" if is_known else folder

        if unlisted:
            names = "1 name is" if len(unlisted) == 1 else f"{len(unlisted)} names are"
            text = f"{names} no path, such as {unlisted[0][:80]!r}, and not listed: PakFile reads the entry"
            warnings.warn(text, stacklevel=2)

    def _names(self, folder: str) -> list[str]:
        return list(self._folders[folder])

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        """What the archive's directory tells about an entry, or about a folder."""
        path = self._strip_protocol(path)
        info = self._infos.get(path)
        if info is not None:
            return {**info._asdict(), "name": path, "size": info.file_size, "type": "file"}
        if path in self._folders:
            return {"name": path, "size": 0, "type": "directory"}
        raise FileNotFoundError(2, "no entry has this name", path)

    def _view(self, path: str) -> memoryview:
        info = self._infos.get(path)
        if info is None:
            raise FileNotFoundError(2, "no entry has this name", path)
        return self._archive.view(info)


class QuakeFileSystem(_Files):
    """The files that an engine would load: `fsspec.filesystem("quake", fo="/games/quake", games="ad")`. The options are those of `mount`.
    In a chain, the base is on another filesystem, or is an archive there: `quake://maps/start.bsp::s3://games/quake`."""

    protocol = "quake"

    def __init__(
        self,
        fo: Any,
        target_protocol: str | None = None,
        target_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """`fo` is a path or a URL of the base directory or of an archive, or a mounted game."""
        of_fsspec = {name: options.pop(name) for name in _OPTIONS if name in options}
        super().__init__(**of_fsspec)
        if isinstance(fo, SearchPath):
            self.quake = fo
            return
        filesystem, path = _target(fo, target_protocol, target_options)
        if not filesystem.isdir(path):
            self.quake = mount(disk=filesystem.open(path, cache_type="none"), **options)
        elif isinstance(filesystem, LocalFileSystem):
            self.quake = mount(path, **options)
        else:
            self.quake = mount(path, disk=filesystem, **options)

    def _names(self, folder: str) -> list[str]:
        return [name for name, _ in self.quake._list(folder)]

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        """What `File` tells about a file, or about a folder."""
        path = self._strip_protocol(path)
        file = self.quake.find(path) if path else None
        if file is not None:
            return {**file._asdict(), "name": path, "type": "file"}
        if not path or self.quake._is_dir(path):
            return {"name": path, "size": 0, "type": "directory"}
        raise FileNotFoundError(2, "no layer has this file", path)

    def _view(self, path: str) -> memoryview:
        file = self.quake.find(path)
        if file is None:
            raise FileNotFoundError(2, "no layer has this file", path)
        return file.read()

    def modified(self, path: str) -> datetime:
        """When the file, or its archive, was last modified."""
        return datetime.fromtimestamp(self.info(path)["modified"], UTC)


def _target(fo: Any, protocol: str | None, options: dict[str, Any] | None) -> tuple[Any, str]:
    """The filesystem and the path of what a URL, or the end of a chain, leads to."""
    filesystem, path = url_to_fs(fo, **(options or {}), **({"protocol": protocol} if protocol else {}))
    return filesystem, path
