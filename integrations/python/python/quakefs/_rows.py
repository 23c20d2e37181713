# Made from the rows of the crate quakefs-game by its suite `rows`: do not edit.
"""The answers about a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["AdviceRow", "CauseRow", "Caveats", "ChangeRow", "ChosenRow", "CompanionRow", "CompanionsAnswer", "CopyRow", "DifferenceRow", "EffectsRow", "ExistingRow", "FileRow", "FindingRow", "FitRow", "IncidentRow", "InstalledAnswer", "InstalledRow", "JournalRow", "LayerRow", "LevelRow", "ModRow", "NeedDifferenceRow", "NeedRow", "NeedsAnswer", "OverriddenRow", "PartRow", "PathAnswer", "PlaceAnswer", "ReasonRow", "RegistrationRow", "SkippedRow", "StartRow", "SubstituteRow", "UndoAnswer", "UndoneRow", "UnusedRow", "UserDirectoryRow", "VerdictRow", "WhichRow", "WinnerRow", "Engine", "Host"]

Engine = Literal["winquake", "quakespasm", "quakespasm-0.95", "ironwail", "qss", "qss-m", "joequake", "darkplaces", "darkplaces-2024", "xonotic", "nexuiz", "fte", "mvdsv", "ezquake", "quake2", "yquake2", "kmquake2", "q2pro", "q2rtx", "goldsrc", "goldsrc-2023", "quakeworld", "vkquake", "vkquake-1.35", "vkquake-1.34", "vkquake-1.32", "hexen2", "heretic2r", "sin", "daikatana", "ioquake3", "quake3e", "openarena", "etlegacy", "openjk", "openjk-sp", "openjo-sp", "iortcw", "iortcw-sp", "urban-terror", "padman", "smokin-guns", "quake-kex", "quake2-kex", "trenchbroom", "ericw-tools"]
Host = Literal["linux", "macos", "windows"]


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A step of an advice. Paths are below the base directory; those of entries begin with the archive's."""

    content: str | None
    """The content of a file to add."""
    entry: int | None
    """The number of the entry, for the first path of one."""
    of: list[str]
    """The paths, the names, the option or the words of the command."""
    step: str
    """`rename`, `move` (a folder's contents, or unpack an archive), `pack` (the archive again), `add`, `remove` (one of them), `get` (another copy), `choose` (another value of an option), `ask` (for another name) or `run` (a command of quakefs). New versions may have more words."""
    to: str | None
    """The new path, the folder, the layout, the value of the option, or what it has to be; None if there is none."""


@dataclass(frozen=True, slots=True)
class CauseRow:
    """Why engines load different files, with the number of names."""

    because: str
    """A word that stays the same in all versions."""
    names: int
    """How many names."""
    rule: str
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class Caveats:
    """Reasons why an answer may differ from the game that the person meant."""

    engine_stops: str | None = None
    """Why the engine would not start. The answers assume that the cause is fixed."""
    game_missing: str | None = None
    """A game directory that does not exist."""
    not_opened: str | None = None
    """An archive or a folder that could not be opened, and is missing from the answers."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A name that a file of a download would win."""

    layer: str
    """The layer that would have it."""
    name: str
    """The name."""
    overrides: str | None
    """The layer whose file it would override."""


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """The engine and the base directory of an answer, and why they were chosen."""

    as_of: str | None
    """The version that the rules describe; None for rules of the caller."""
    base: str | None
    """The base directory; None if only archives and folders are mounted."""
    base_because: str
    """Why it was chosen, as a word: `named`, `here`, `above`, `configured`, `below`, `archives`, `nothing`."""
    because: str
    """Why it was chosen: `named`, `environment`, `configured`, `program`, `game`, `layout` or `default`."""
    engine: str
    """The name of the engine."""
    game: str | None
    """The game that was chosen because the folder is inside its directory."""
    reason: str
    """The same as a sentence."""
    texts: list[str]
    """The texts of the game that change the search path."""


@dataclass(frozen=True, slots=True)
class CompanionRow:
    """A file beside a level, and whether the engine loads it."""

    because: str
    """Why, or why not, a word that stays the same in all versions, such as `below-level`."""
    content_type: str
    """What the name says that it contains, such as `level`."""
    entry: int | None
    """The number of the entry in its archive; None for a loose file."""
    help: str | None
    """What to do to have it loaded."""
    index: int
    """The index of the layer, 0 for the highest."""
    kind: str
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str
    """The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    level: str
    """The level."""
    loaded: bool
    """Whether the engine loads it for this level."""
    name: str
    """The name that finds the file. A byte that is not UTF-8 is `\\xNN`."""
    reason: str
    """The same as a sentence."""
    setting: str | None
    """The setting that the engine needs to load such files."""
    size: int
    """The size of the content in bytes."""
    stored: str
    """The name as the archive or the folder spells it."""


@dataclass(frozen=True, slots=True)
class CompanionsAnswer:
    """The files beside a level."""

    companions: list[CompanionRow]
    """The files, in the order in which the engine looks them up."""
    level: FileRow | None
    """The level; None if it is missing."""
    unread: str | None
    """Why the level cannot be read, so that the answer is not certain."""


@dataclass(frozen=True, slots=True)
class CopyRow:
    """An overridden copy."""

    because: str
    """The rule that ranks the winner above it, a word that stays the same in all versions."""
    content_type: str
    """What the name says that it contains, such as `level`."""
    entry: int | None
    """The number of the entry in its archive; None for a loose file."""
    index: int
    """The index of the layer, 0 for the highest."""
    kind: str
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str
    """The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    name: str
    """The name that finds the file. A byte that is not UTF-8 is `\\xNN`."""
    rule: str
    """The same as a sentence."""
    size: int
    """The size of the content in bytes."""
    stored: str
    """The name as the archive or the folder spells it."""


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A name that engines load differently."""

    because: str
    """Why, a word that stays the same in all versions."""
    engines: list[WinnerRow]
    """What each engine loads, in the order of the comparison."""
    name: str
    """The name."""
    rule: str
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class EffectsRow:
    """What a download would change."""

    added: int
    """How many names are new."""
    changes: list[ChangeRow]
    """The names that it would win."""
    fits: list[FitRow]
    """The games whose program was tried with its levels."""
    not_tried: int
    """How many of its game directories and of the games for its levels were not tried, because that would take too long."""
    overridden: dict[str, int]
    """How many files of each layer would be overridden."""
    problems: list[FindingRow]
    """The warnings and errors that the game has only with the download."""
    start: StartRow | None
    """How its levels are started in the game that fits them best, if that is another one than the download's."""


@dataclass(frozen=True, slots=True)
class ExistingRow:
    """Files of a download that the base directory has already."""

    different: list[str]
    """The paths of those that differ, below the base directory."""
    same: int
    """How many have the same bytes there."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One copy of a file."""

    content_type: str
    """What the name says that it contains, such as `level`."""
    entry: int | None
    """The number of the entry in its archive; None for a loose file."""
    index: int
    """The index of the layer, 0 for the highest."""
    kind: str
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str
    """The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    name: str
    """The name that finds the file. A byte that is not UTF-8 is `\\xNN`."""
    size: int
    """The size of the content in bytes."""
    stored: str
    """The name as the archive or the folder spells it."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A problem, as data."""

    advice: list[AdviceRow]
    """The same as steps that a program can carry out; empty if only a person can."""
    entry: int | None
    """The number of the entry in the archive."""
    help: str | None
    """What to do; None if nothing is known."""
    kind: str
    """The kind, a word that stays the same in all versions, such as `gap`. New versions may have more words."""
    layer: str
    """The layer or the archive."""
    location: str
    """Where it is, in a few words."""
    name: str | None
    """The name of the file."""
    reason: str
    """The problem in a sentence."""
    severity: str
    """`error`, `warning` or `note`."""
    stops: bool
    """Whether the engine stops with an error because of it."""


@dataclass(frozen=True, slots=True)
class FitRow:
    """A game whose program was tried with the levels of a download."""

    best: bool
    """Whether no game fits better."""
    game: str
    """The game."""
    missing: list[str]
    """The files that the levels need and it lacks."""
    mistakes: list[str]
    """Mistakes that end the levels in it, a sentence each."""


@dataclass(frozen=True, slots=True)
class IncidentRow:
    """A likely mistake of a level, or something that a program uses and the engine lacks."""

    class_: str | None
    """The class of the entity."""
    ends: bool
    """Whether the engine ends the level."""
    entity: int | None
    """The number of the entity; None for the program itself."""
    file: str
    """The level, or the program."""
    function: str
    """The function of the program."""
    kind: str
    """The kind, a word that stays the same in all versions."""
    reason: str
    """The mistake in a sentence."""


@dataclass(frozen=True, slots=True)
class InstalledAnswer:
    """The games that stores have installed."""

    games: list[InstalledRow]
    """The games, by store."""
    unread: list[ReasonRow]
    """The lists of stores that cannot be read."""


@dataclass(frozen=True, slots=True)
class InstalledRow:
    """An installed game."""

    downloads: str | None
    """The folder for downloads of the store's own engine, which some engines search too."""
    edition: str
    """`original` or `remaster`."""
    engine: str
    """The engine that was tried."""
    expansions: dict[str, str]
    """The game directories of the installed expansions, and their names."""
    known: dict[str, str]
    """The known archives of the base game."""
    name: str
    """Its name as a base directory, such as `steam:quake`."""
    path: str
    """The base directory."""
    problems: list[ReasonRow]
    """Why not, each with the advice."""
    starts: bool
    """Whether it starts."""
    store: str
    """The store: `steam`, `gog`, `epic`, `system`."""
    title: str
    """The title."""


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A download that was placed in a base directory, from the journal for its undo."""

    download: str | None
    """The file name of the download; None in journals of versions that did not write it."""
    files: int
    """How many files it has."""
    folders: list[str]
    """The folders of its files in the base directory, such as `pd/` and `id1/`."""
    journal: str
    """The path of the journal."""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer of the search path: an archive, or the loose files of a folder."""

    entries: int | None
    """The number of entries; None for loose files."""
    game_directory: str | None
    """The game directory that it belongs to."""
    kind: str
    """`pak`, `zip`, `dir`."""
    known: str | None
    """The game and the edition of a known archive."""
    layer: str
    """Its name: the path from the base directory, with `/` at the end for loose files."""
    layout: str | None
    """The layout of an archive, such as `quake`."""
    path: str | None
    """Its path on this computer."""
    pk3_checksum: int | None
    """The checksum of a ZIP by which Quake III's servers and clients name it, as in `sv_paks`."""
    problems: int
    """The number of findings about it."""
    rank: int | None
    """The rank of that directory, 1 for the lowest."""
    size: int | None
    """The size of an archive in bytes."""
    needed: int | None = None
    """How many of the files that levels need are in it, if levels were asked for."""
    sha256: str | None = None
    """The SHA-256 of an archive, if it was asked for."""


@dataclass(frozen=True, slots=True)
class LevelRow:
    """What one level needs."""

    incidents: list[IncidentRow]
    """Likely mistakes that show while it loads."""
    level: str
    """The level."""
    needed: list[NeedRow]
    """The files, each once, the missing ones first."""
    troubles: list[str]
    """Why the answer is not complete, a sentence each."""


@dataclass(frozen=True, slots=True)
class ModRow:
    """A game directory."""

    archives: int
    """The number of archives directly in the folder."""
    bytes: int
    """Their size in bytes."""
    files: int
    """The number of files on disk."""
    folders: list[str]
    """The folder in each base directory and in the user directory."""
    game: str | None
    """The game to choose for it; None if none is needed."""
    levels: int
    """The number of levels."""
    mission: str | None
    """The mission flag to choose for it; None if none is needed."""
    name: str
    """The name of the folder."""
    programs: list[str]
    """The game's programs."""
    reason: str | None
    """Why the engine does not search it."""
    selectable: bool
    """Whether the engine searches the folder of exactly this name, always or by an option."""
    unread: list[ReasonRow]
    """Archives that cannot be read. Their contents are not counted."""


@dataclass(frozen=True, slots=True)
class NeedDifferenceRow:
    """A file that levels need and only some of the engines find."""

    found: list[str]
    """The engines that need and find it."""
    kind: str
    """The kind of file."""
    missing: list[str]
    """The engines that need it and do not find it."""
    name: str
    """The name."""


@dataclass(frozen=True, slots=True)
class NeedRow:
    """A file that a level, a program or the engine needs."""

    because: str | None
    """Why it is missing, a word that stays the same in all versions."""
    by: list[str]
    """What needs it, from the level on."""
    found: bool
    """Whether a layer has it."""
    help: str | None
    """What to do."""
    instead: str | None
    """A file with a similar name, which was probably meant."""
    kind: str
    """The kind of file, such as `model`."""
    layer: str | None
    """The layer that has it."""
    missing: bool
    """Whether it is required and no layer has it."""
    modes: str
    """The modes that need it, such as `skill 3, coop`; empty for all."""
    name: str
    """The name that the engine looks up."""
    others: list[str]
    """Names that the engine would accept as well."""
    presence: str
    """`required`, `optional`, or `packed` for a file that belongs into a release although engines do not load it."""
    reason: str | None
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class NeedsAnswer:
    """What levels need."""

    engine: list[NeedRow]
    """What the engine itself needs. Empty unless all levels were asked for."""
    levels: list[LevelRow]
    """The levels."""
    missing: int
    """How many of them are missing."""
    notes: list[str]
    """Why the answer may lack files, whatever the level."""
    program: list[IncidentRow]
    """What the program uses during play and the engine does not have."""
    required: int
    """How many files are required."""
    unknown: int
    """The levels of which nobody knows all needs."""


@dataclass(frozen=True, slots=True)
class OverriddenRow:
    """An overridden copy and its winner."""

    because: str
    """The rule that ranks the winner above, a word that stays the same in all versions."""
    file: FileRow
    """The copy that the engine loads."""
    name: str
    """The name."""
    overridden: FileRow
    """The overridden copy."""
    rule: str
    """The same as a sentence."""
    same: bool | None
    """Whether both have the same bytes; None if one cannot be read, or reading would take too long."""


@dataclass(frozen=True, slots=True)
class PartRow:
    """Files of a download that go to one folder for one reason."""

    by: str
    """The evidence, a word that stays the same in all versions: `as`, `folder`, `text`, `base`, `levels`, `level-name`, `name`."""
    files: list[str]
    """The paths of its files in the download."""
    from_: str
    """The folder in the download, such as `progs_dump/pd/`; empty for the download itself."""
    game: str | None
    """The game directory, if an option of the engine selects it."""
    reason: str
    """The same as a sentence."""
    text: str | None
    """The line of the author's text that names the place."""
    to: str
    """The folder below the base directory, such as `pd/`, or `id1/maps/` for levels."""


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The search path of a game."""

    chosen: ChosenRow
    """What was chosen."""
    findings: list[FindingRow]
    """The problems of the mount: skipped archives, names that do not exist."""
    layers: list[LayerRow]
    """The layers that exist, the highest first."""
    registration: RegistrationRow | None
    """Whether it is a registered copy, for an engine that checks."""
    starts: bool
    """Whether the engine starts, as far as the search path tells."""
    user_directory: UserDirectoryRow | None
    """The user directory, if there is one."""


@dataclass(frozen=True, slots=True)
class PlaceAnswer:
    """Where a download goes, and how it is started."""

    downloads: list[str]
    """The paths of a folder's ZIPs, each a download of its own."""
    engine: str
    """The engine that would load it."""
    existing: ExistingRow | None
    """What is there already; None without a base directory that contains the game."""
    family: str
    """The family of games that it is for, such as `Quake II`."""
    file: str
    """The download."""
    guess: bool
    """Whether a place is only a guess from the name of the download."""
    help: str | None
    """What to do if nothing is placed."""
    left: list[str]
    """The files that stay in the download."""
    notes: list[str]
    """What is unclear or could not be read, a sentence each."""
    nothing: str | None
    """Why nothing is placed, a word that stays the same in all versions."""
    parts: list[PartRow]
    """The parts that go somewhere. If there are none and no `downloads`, `nothing` tells why."""
    program: str
    """The engine's program in the base directory, such as `hl.exe`, or else the engine's name."""
    reason: str | None
    """The same as a sentence."""
    starts: list[StartRow]
    """How to start each of its game directories."""


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A sentence and what to do."""

    help: str | None
    """What to do; None if nothing is known."""
    reason: str
    """The sentence."""


@dataclass(frozen=True, slots=True)
class RegistrationRow:
    """Whether a game is a registered copy."""

    reason: str
    """The same as a sentence."""
    registration: str
    """`registered`, `shareware` or `corrupt`."""


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A copy that the engine does not look at."""

    advice: list[AdviceRow]
    """The same as steps that a program can carry out; empty if only a person can."""
    because: str
    """Why, a word that stays the same in all versions: `skipped`, `other-case`, `too-deep`, `other-game`."""
    help: str | None
    """What to do."""
    layer: str
    """The archive or the folder."""
    location: str
    """Where it is."""
    name: str
    """The name."""
    reason: str
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class StartRow:
    """How a game directory of a download is started."""

    demo: str | None
    """The demo, if there is one and no level."""
    games: list[str]
    """The game directories."""
    level: str | None
    """The level, if one is known."""
    missions: list[str]
    """The mission flags."""
    words: list[str]
    """The words for the engine's command line, such as `-game`, `pd`, `+map`, `start`."""


@dataclass(frozen=True, slots=True)
class SubstituteRow:
    """A replacement that the engine may load."""

    engine: str
    """The engine."""
    is_addition: bool
    """Whether it is an addition to another replacement, such as a glow texture."""
    kind: str
    """The kind of thing that it replaces: `texture`, `sky`, `music`, `model`, `skin`, `image`, `sound`."""
    level: str | None
    """The current level."""
    loaded: FileRow | None
    """The file that the engine loads; None if none is there."""
    name: str
    """The thing."""
    overridden: list[FileRow]
    """Files with later names, in order."""
    skipped: list[FileRow]
    """Files that the engine skips because they rank below the thing."""
    tried: list[str]
    """The names that the engine tries, in order."""


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """What the undo of a journal did."""

    complete: bool
    """Whether everything was undone. The journal is then removed; otherwise it stays, and a second undo tries again."""
    steps: list[UndoneRow]
    """The steps, the last one first."""


@dataclass(frozen=True, slots=True)
class UndoneRow:
    """What the undo of one step did."""

    before: str | None
    """The path before the step, if the step was a rename; None for a file or a folder, which the undo removes."""
    done: bool
    """Whether it was undone. A step that has nothing to undo is not done, and has no error."""
    error: str | None
    """Why it was not undone."""
    path: str
    """The path that the step left, below the folder of the journal."""
    shared: bool
    """Whether it stays, because it is a folder with other files, or a file that another download brought."""


@dataclass(frozen=True, slots=True)
class UnusedRow:
    """A file that no level, program or engine needs."""

    content_type: str
    """What the name says that it contains, such as `level`."""
    entry: int | None
    """The number of the entry in its archive; None for a loose file."""
    index: int
    """The index of the layer, 0 for the highest."""
    kind: str
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str
    """The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    meant: str | None
    """A missing file with a similar name, which this file was probably meant to be."""
    name: str
    """The name that finds the file. A byte that is not UTF-8 is `\\xNN`."""
    size: int
    """The size of the content in bytes."""
    stored: str
    """The name as the archive or the folder spells it."""


@dataclass(frozen=True, slots=True)
class UserDirectoryRow:
    """The user directory of an engine."""

    exists: bool
    """Whether it exists."""
    in_some_builds: bool
    """Whether only some builds of the engine look there."""
    path: str
    """Its path."""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Whether a game starts."""

    engine: str
    """The engine."""
    good: bool
    """Whether the engine starts and nothing is wrong."""
    reason: str
    """The same as a sentence."""
    verdict: str
    """`starts`, `starts-but`, `not-enough` or `does-not-start`."""


@dataclass(frozen=True, slots=True)
class WhichRow:
    """Which copy of a name wins and which ones it overrides, or why none is found."""

    advice: list[AdviceRow]
    """The same as steps that a program can carry out; empty if only a person can."""
    because: str | None
    """Why no file is found, a word that stays the same in all versions, such as `skipped`; None if one is found."""
    companion: CompanionRow | None
    """For a file beside a level: whether the engine loads it."""
    disk_decides: bool
    """Whether the winner depends on the order in which the disk lists the archives."""
    found: bool
    """Whether the engine finds a file."""
    help: str | None
    """What to do if no file is found."""
    name: str
    """The name."""
    overridden: list[CopyRow]
    """The overridden copies, the highest first."""
    problem: FindingRow | None
    """Why the winner cannot be read, or why the engine stops on it."""
    reason: str | None
    """The same as a sentence."""
    skipped: list[SkippedRow]
    """Copies that the engine does not look at, the most relevant first."""
    content_type: str | None = None
    """What the name says that it contains, such as `level`."""
    entry: int | None = None
    """The number of the entry in its archive; None for a loose file."""
    index: int | None = None
    """The index of the layer, 0 for the highest."""
    kind: str | None = None
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str | None = None
    """The name of the layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    size: int | None = None
    """The size of the content in bytes."""
    stored: str | None = None
    """The name as the archive or the folder spells it."""


@dataclass(frozen=True, slots=True)
class WinnerRow:
    """What one engine loads."""

    engine: str
    """The engine, with its system."""
    content_type: str | None = None
    """What the name says that it contains, such as `level`."""
    entry: int | None = None
    """The number of the entry in its archive; None for a loose file."""
    index: int | None = None
    """The index of the layer, 0 for the highest."""
    kind: str | None = None
    """The kind of the layer: `pak`, `zip`, `dir`."""
    layer: str | None = None
    """The name of the layer, such as `id1/pak0.pak`, or `id1/` for loose files."""
    size: int | None = None
    """The size of the content in bytes."""
    stored: str | None = None
    """The name as the archive or the folder spells it."""
