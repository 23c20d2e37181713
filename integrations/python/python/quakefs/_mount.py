"""What a caller says about a game, as keywords."""

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, TypedDict, Unpack

from . import _quakefs
from ._rows import Engine, Host, InstalledAnswer, JournalRow

if TYPE_CHECKING:
    from ._quakefs import _Filesystem

_AnyPath = str | os.PathLike[str]


class Options(TypedDict, total=False):
    """The keywords of `mount` and `place`. They are the options of the command, and mean the same."""

    engine: Engine | None
    rules: str | None
    games: str | Sequence[str]
    missions: str | Sequence[str]
    base_games: str | Sequence[str]
    settings: Mapping[str, str]
    over: _AnyPath | Sequence[_AnyPath | tuple[str, _AnyPath]]
    mounts: _AnyPath | Sequence[_AnyPath]
    user_directory: _AnyPath | None
    program_directory: _AnyPath | None
    on: Host | None
    games_exist: bool
    folder: _AnyPath | None
    home: _AnyPath | None


def mount(
    base: _AnyPath | Sequence[_AnyPath] | None = None,
    *,
    disk: "_Filesystem | IO[bytes] | None" = None,
    listed: bool | None = None,
    mapped: bool = True,
    **options: Unpack[Options],
) -> "_quakefs.SearchPath":
    """Mounts a game as an engine would.

    - base: the folder that contains id1, or a game of a store, such as "steam:quake". Several, for engines that support them, the first
      one lowest. None: look for it from `folder`, or mount only `mounts`.
    - engine: one of `engines()`. None: the game decides, by the engine's program in the base directory, or as a game of one engine; else
      "quakespasm". `describe().chosen` has the reason.
    - rules: rules of an engine as text, in TOML, instead of an engine.
    - games: the mods that the engine is started with, such as "ad", the last one highest.
    - missions: mission pack flags, such as "hipnotic".
    - base_games: folders that replace id1.
    - settings: settings of the engine by name, such as {"fs_basegame": "missionpack"}.
    - over: downloads that are laid over the base directory, the last one highest: a path, or the name of the game directory and a path.
    - mounts: archives and folders that override all others, the last one highest.
    - user_directory: the folder with the user's own files; home: the home folder, in which the engine looks for the user directory.
    - program_directory: the folder of the engine's program, for engines that look for files there.
    - on: the engine's operating system, "linux", "windows" or "macos". None: this one.
    - games_exist: whether a game without a folder is an error.
    - folder: where the game is looked for if no base is named: there, in the folders above, in the folders below.
    - disk: where all these are, instead of on this computer: a filesystem of fsspec, or the file object of an archive, whose root is the
      default base. Archives are read by position.
    - listed: list loose files when mounting, so that `changes` notices edited ones. Otherwise each lookup accesses the disk. None: True
      with a `disk`.
    - mapped: map archives into memory. False: read them by position.

    A single value needs no list. An unknown engine or system raises ValueError. If a game or mission is missing and the engine would
    start without it, `mount` warns, and the result has a finding; otherwise FileNotFoundError is raised.

    >>> quake = quakefs.mount("testdata/game", engine="quakespasm", games="mymod")
    >>> [layer.name for layer in quake.layers][:3]
    ['mymod/pak1.pak', 'mymod/pak0.pak', 'mymod/']
    """
    arguments = {"base": base, "disk": disk, "listed": listed, "mapped": mapped, **options}
    return _quakefs.mount(_asked("mount", base, options), disk, listed, mapped, arguments)


def place(
    file: _AnyPath,
    base: _AnyPath | Sequence[_AnyPath] | None = None,
    *,
    name: str | None = None,
    **options: Unpack[Options],
) -> "_quakefs.Placed":
    """Finds where the files of a download go, how it is started, and what it changes. Nothing is written.

    - file: an archive, a level, a demo, or a folder that was unpacked somewhere.
    - base: the folder that contains id1. A folder of the download belongs to a game directory there with the same name.
    - name: the name of the game directory. None: find it.

    The other keywords are those of `mount`. Without an engine, the download shows the family of its game.

    The folders of the download decide, then the author's text. Levels without a folder go into the base game. If only the file name of
    the download is left, the place is a guess: `by` of the part is "name".

    >>> (part,) = quakefs.place("testdata/game/id1/maps/mine.bsp").answer.parts
    >>> part.to, part.by
    ('id1/maps/', 'levels')
    """
    return _quakefs.place(os.fspath(file), name, _asked("place", base, options))


def placements(
    base: _AnyPath | Sequence[_AnyPath] | None = None, **options: Unpack[Options]
) -> list[JournalRow]:
    """The downloads that `Placed.write` or `quakefs place --write` have placed in a base directory, each with the journal for `undo`.

    The keywords are those of `mount`.

    >>> quakefs.placements("testdata/game")
    []
    """
    return _quakefs.placements(_asked("placements", base, options))


def installed(home: _AnyPath | None = None, *, engine: Engine | None = None) -> InstalledAnswer:
    """The games that Steam, GOG, Epic and packages have installed, each tried with an engine, or else with its own. Their names can be the
    base of `mount`.

    - home: the home folder, in which stores have their lists. None: that of this user.
    - engine: one of `engines()`.

    >>> quakefs.installed("testdata").unread
    []
    """
    return _quakefs.installed(_home() if home is None else os.fspath(home), engine)


def _asked(called: str, base: _AnyPath | Sequence[_AnyPath] | None, options: Options) -> dict[str, Any]:
    """The options with lists where there may be several values."""
    asked: dict[str, Any] = {"bases": [] if base is None else _several(base, _path), "stores": _home()}
    for name, value in options.items():
        if name not in _READ:
            raise TypeError(f"{called}() got an unexpected keyword argument {name!r}")
        if value is not None:
            asked[name] = _READ[name](value)
    return asked


def _home() -> str | None:
    try:
        return os.fspath(pathlib.Path.home())
    except RuntimeError:
        return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a str, not {type(value).__name__}")
    return value


def _path(value: Any) -> str:
    return os.fsdecode(value)


def _over(value: Any) -> tuple[str | None, str]:
    name, file = value if isinstance(value, tuple) else (None, value)
    return None if name is None else _text(name), _path(file)


def _several(value: Any, read: Any) -> list[Any]:
    return [read(one) for one in ([value] if isinstance(value, (str, bytes, os.PathLike)) else value)]


def _settings(value: Any) -> dict[str, str]:
    return {_text(name): _text(setting) for name, setting in value.items()}


def _texts(value: Any) -> list[str]:
    return _several(value, _text)


#: how the value of each keyword is read
_READ: dict[str, Any] = {
    "engine": _text,
    "rules": _text,
    "games": _texts,
    "missions": _texts,
    "base_games": _texts,
    "settings": _settings,
    "over": lambda value: _several(value, _over),
    "mounts": lambda value: _several(value, _path),
    "user_directory": _path,
    "program_directory": _path,
    "on": _text,
    "games_exist": bool,
    "folder": _path,
    "home": _path,
}
