// Made from the rows of the crate quakefs-game by its suite `rows`: do not edit.

/** The name of an engine. */
export type Engine = "winquake" | "quakespasm" | "quakespasm-0.95" | "ironwail" | "qss" | "qss-m" | "joequake" | "darkplaces" | "darkplaces-2024" | "xonotic" | "nexuiz" | "fte" | "mvdsv" | "ezquake" | "quake2" | "yquake2" | "kmquake2" | "q2pro" | "q2rtx" | "goldsrc" | "goldsrc-2023" | "quakeworld" | "vkquake" | "vkquake-1.35" | "vkquake-1.34" | "vkquake-1.32" | "hexen2" | "heretic2r" | "sin" | "daikatana" | "ioquake3" | "quake3e" | "openarena" | "etlegacy" | "openjk" | "openjk-sp" | "openjo-sp" | "iortcw" | "iortcw-sp" | "urban-terror" | "padman" | "smokin-guns" | "quake-kex" | "quake2-kex" | "trenchbroom" | "ericw-tools";

/** The system that an engine runs on. */
export type Host = "linux" | "macos" | "windows";

/** An engine on a system, such as `quakespasm@windows`. */
export interface EngineOn {
  /** The engine. */
  readonly engine: Engine;
  /** The system; null for this one. */
  readonly on?: Host | null;
}

/** All that a person can say about a game: the options of the command, the keywords of Python, the object of the npm package, the setters of C. Everything is optional. */
export interface Options {
  /** Folders that replace `id1`, as after `-basegame`. */
  readonly base_games?: readonly string[];
  /** The base directories, each the folder that contains `id1` and the mods, or a game of a store such as `steam:quake`. Some engines use several, and each has its own order for them. Without any, the game is looked for from the current folder, in the folders above it and below it. */
  readonly bases?: readonly string[];
  /** The engine. Without one, the game decides. */
  readonly engine?: Engine;
  /** The games, as after `-game` of the engine, the last one highest. */
  readonly games?: readonly string[];
  /** Whether a game without a folder is an error. */
  readonly games_exist?: boolean;
  /** The mission flags without their dash, such as `hipnotic`. */
  readonly missions?: readonly string[];
  /** Archives and folders above the game directories, the last one highest. */
  readonly mounts?: readonly string[];
  /** Whether no user directory is used. */
  readonly no_user_directory?: boolean;
  /** The system that the engine runs on. Without one, it is this system, with the case rules of each folder. */
  readonly on?: Host | null;
  /** Downloads that are laid over the base directory, the last one highest. */
  readonly over?: readonly Over[];
  /** The folder of the engine's program. Without one, it is looked for in `PATH`. */
  readonly program_directory?: string | null;
  /** Settings of the engine by name, such as `fs_basegame`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The user directory. Without one, it is the engine's in the home folder. */
  readonly user_directory?: string | null;
}

/** A download over the base directory. */
export interface Over {
  /** The archive, level, demo or unpacked folder. */
  readonly file: string;
  /** The name of the game directory. Without one, it is as `place` finds it. */
  readonly name?: string | null;
}

/** A step of an advice. Paths are below the base directory; those of entries begin with the archive's. */
export interface AdviceRow {
  /** The content of a file to add. */
  readonly content: string | null;
  /** The number of the entry, for the first path of one. */
  readonly entry: number | null;
  /** The paths, the names, the option or the words of the command. */
  readonly of: readonly string[];
  /** `rename`, `move` (a folder's contents, or unpack an archive), `pack` (the archive again), `add`, `remove` (one of them), `get` (another copy), `choose` (another value of an option), `ask` (for another name) or `run` (a command of quakefs). New versions may have more words. */
  readonly step: string;
  /** The new path, the folder, the layout, the value of the option, or what it has to be; null if there is none. */
  readonly to: string | null;
}

/** Why engines load different files, with the number of names. */
export interface CauseRow {
  /** A word that stays the same in all versions. */
  readonly because: string;
  /** How many names. */
  readonly names: number;
  /** The same as a sentence. */
  readonly rule: string;
}

/** Reasons why an answer may differ from the game that the person meant. */
export interface Caveats {
  /** Why the engine would not start. The answers assume that the cause is fixed. */
  readonly engine_stops?: string | null;
  /** A game directory that does not exist. */
  readonly game_missing?: string | null;
  /** An archive or a folder that could not be opened, and is missing from the answers. */
  readonly not_opened?: string | null;
}

/** A name that a file of a download would win. */
export interface ChangeRow {
  /** The layer that would have it. */
  readonly layer: string;
  /** The name. */
  readonly name: string;
  /** The layer whose file it would override. */
  readonly overrides: string | null;
}

/** The engine and the base directory of an answer, and why they were chosen. */
export interface ChosenRow {
  /** The version that the rules describe; null for rules of the caller. */
  readonly as_of: string | null;
  /** The base directory; null if only archives and folders are mounted. */
  readonly base: string | null;
  /** Why it was chosen, as a word: `named`, `here`, `above`, `configured`, `below`, `archives`, `nothing`. */
  readonly base_because: string;
  /** Why it was chosen: `named`, `environment`, `configured`, `program`, `game`, `layout` or `default`. */
  readonly because: string;
  /** The name of the engine. */
  readonly engine: string;
  /** The game that was chosen because the folder is inside its directory. */
  readonly game: string | null;
  /** The same as a sentence. */
  readonly reason: string;
  /** The texts of the game that change the search path. */
  readonly texts: readonly string[];
}

/** A file beside a level, and whether the engine loads it. */
export interface CompanionRow {
  /** Why, or why not, a word that stays the same in all versions, such as `below-level`. */
  readonly because: string;
  /** What the name says that it contains, such as `level`. */
  readonly content_type: string;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry: number | null;
  /** What to do to have it loaded. */
  readonly help: string | null;
  /** The index of the layer, 0 for the highest. */
  readonly index: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind: string;
  /** The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer: string;
  /** The level. */
  readonly level: string;
  /** Whether the engine loads it for this level. */
  readonly loaded: boolean;
  /** The name that finds the file. A byte that is not UTF-8 is `\xNN`. */
  readonly name: string;
  /** The same as a sentence. */
  readonly reason: string;
  /** The setting that the engine needs to load such files. */
  readonly setting: string | null;
  /** The size of the content in bytes. */
  readonly size: number;
  /** The name as the archive or the folder spells it. */
  readonly stored: string;
}

/** The files beside a level. */
export interface CompanionsAnswer {
  /** The files, in the order in which the engine looks them up. */
  readonly companions: readonly CompanionRow[];
  /** The level; null if it is missing. */
  readonly level: FileRow | null;
  /** Why the level cannot be read, so that the answer is not certain. */
  readonly unread: string | null;
}

/** An overridden copy. */
export interface CopyRow {
  /** The rule that ranks the winner above it, a word that stays the same in all versions. */
  readonly because: string;
  /** What the name says that it contains, such as `level`. */
  readonly content_type: string;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry: number | null;
  /** The index of the layer, 0 for the highest. */
  readonly index: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind: string;
  /** The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer: string;
  /** The name that finds the file. A byte that is not UTF-8 is `\xNN`. */
  readonly name: string;
  /** The same as a sentence. */
  readonly rule: string;
  /** The size of the content in bytes. */
  readonly size: number;
  /** The name as the archive or the folder spells it. */
  readonly stored: string;
}

/** A name that engines load differently. */
export interface DifferenceRow {
  /** Why, a word that stays the same in all versions. */
  readonly because: string;
  /** What each engine loads, in the order of the comparison. */
  readonly engines: readonly WinnerRow[];
  /** The name. */
  readonly name: string;
  /** The same as a sentence. */
  readonly rule: string;
}

/** What a download would change. */
export interface EffectsRow {
  /** How many names are new. */
  readonly added: number;
  /** The names that it would win. */
  readonly changes: readonly ChangeRow[];
  /** The games whose program was tried with its levels. */
  readonly fits: readonly FitRow[];
  /** How many of its game directories and of the games for its levels were not tried, because that would take too long. */
  readonly not_tried: number;
  /** How many files of each layer would be overridden. */
  readonly overridden: Readonly<Record<string, number>>;
  /** The warnings and errors that the game has only with the download. */
  readonly problems: readonly FindingRow[];
  /** How its levels are started in the game that fits them best, if that is another one than the download's. */
  readonly start: StartRow | null;
}

/** Files of a download that the base directory has already. */
export interface ExistingRow {
  /** The paths of those that differ, below the base directory. */
  readonly different: readonly string[];
  /** How many have the same bytes there. */
  readonly same: number;
}

/** One copy of a file. */
export interface FileRow {
  /** What the name says that it contains, such as `level`. */
  readonly content_type: string;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry: number | null;
  /** The index of the layer, 0 for the highest. */
  readonly index: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind: string;
  /** The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer: string;
  /** The name that finds the file. A byte that is not UTF-8 is `\xNN`. */
  readonly name: string;
  /** The size of the content in bytes. */
  readonly size: number;
  /** The name as the archive or the folder spells it. */
  readonly stored: string;
}

/** A problem, as data. */
export interface FindingRow {
  /** The same as steps that a program can carry out; empty if only a person can. */
  readonly advice: readonly AdviceRow[];
  /** The number of the entry in the archive. */
  readonly entry: number | null;
  /** What to do; null if nothing is known. */
  readonly help: string | null;
  /** The kind, a word that stays the same in all versions, such as `gap`. New versions may have more words. */
  readonly kind: string;
  /** The layer or the archive. */
  readonly layer: string;
  /** Where it is, in a few words. */
  readonly location: string;
  /** The name of the file. */
  readonly name: string | null;
  /** The problem in a sentence. */
  readonly reason: string;
  /** `error`, `warning` or `note`. */
  readonly severity: string;
  /** Whether the engine stops with an error because of it. */
  readonly stops: boolean;
}

/** A game whose program was tried with the levels of a download. */
export interface FitRow {
  /** Whether no game fits better. */
  readonly best: boolean;
  /** The game. */
  readonly game: string;
  /** The files that the levels need and it lacks. */
  readonly missing: readonly string[];
  /** Mistakes that end the levels in it, a sentence each. */
  readonly mistakes: readonly string[];
}

/** A likely mistake of a level, or something that a program uses and the engine lacks. */
export interface IncidentRow {
  /** The class of the entity. */
  readonly class: string | null;
  /** Whether the engine ends the level. */
  readonly ends: boolean;
  /** The number of the entity; null for the program itself. */
  readonly entity: number | null;
  /** The level, or the program. */
  readonly file: string;
  /** The function of the program. */
  readonly function: string;
  /** The kind, a word that stays the same in all versions. */
  readonly kind: string;
  /** The mistake in a sentence. */
  readonly reason: string;
}

/** The games that stores have installed. */
export interface InstalledAnswer {
  /** The games, by store. */
  readonly games: readonly InstalledRow[];
  /** The lists of stores that cannot be read. */
  readonly unread: readonly ReasonRow[];
}

/** An installed game. */
export interface InstalledRow {
  /** The folder for downloads of the store's own engine, which some engines search too. */
  readonly downloads: string | null;
  /** `original` or `remaster`. */
  readonly edition: string;
  /** The engine that was tried. */
  readonly engine: string;
  /** The game directories of the installed expansions, and their names. */
  readonly expansions: Readonly<Record<string, string>>;
  /** The known archives of the base game. */
  readonly known: Readonly<Record<string, string>>;
  /** Its name as a base directory, such as `steam:quake`. */
  readonly name: string;
  /** The base directory. */
  readonly path: string;
  /** Why not, each with the advice. */
  readonly problems: readonly ReasonRow[];
  /** Whether it starts. */
  readonly starts: boolean;
  /** The store: `steam`, `gog`, `epic`, `system`. */
  readonly store: string;
  /** The title. */
  readonly title: string;
}

/** A download that was placed in a base directory, from the journal for its undo. */
export interface JournalRow {
  /** The file name of the download; null in journals of versions that did not write it. */
  readonly download: string | null;
  /** How many files it has. */
  readonly files: number;
  /** The folders of its files in the base directory, such as `pd/` and `id1/`. */
  readonly folders: readonly string[];
  /** The path of the journal. */
  readonly journal: string;
}

/** A layer of the search path: an archive, or the loose files of a folder. */
export interface LayerRow {
  /** The number of entries; null for loose files. */
  readonly entries: number | null;
  /** The game directory that it belongs to. */
  readonly game_directory: string | null;
  /** `pak`, `zip`, `dir`. */
  readonly kind: string;
  /** The game and the edition of a known archive. */
  readonly known: string | null;
  /** Its name: the path from the base directory, with `/` at the end for loose files. */
  readonly layer: string;
  /** The layout of an archive, such as `quake`. */
  readonly layout: string | null;
  /** How many of the files that levels need are in it, if levels were asked for. */
  readonly needed?: number | null;
  /** Its path on this computer. */
  readonly path: string | null;
  /** The checksum of a ZIP by which Quake III's servers and clients name it, as in `sv_paks`. */
  readonly pk3_checksum: number | null;
  /** The number of findings about it. */
  readonly problems: number;
  /** The rank of that directory, 1 for the lowest. */
  readonly rank: number | null;
  /** The SHA-256 of an archive, if it was asked for. */
  readonly sha256?: string | null;
  /** The size of an archive in bytes. */
  readonly size: number | null;
}

/** What one level needs. */
export interface LevelRow {
  /** Likely mistakes that show while it loads. */
  readonly incidents: readonly IncidentRow[];
  /** The level. */
  readonly level: string;
  /** The files, each once, the missing ones first. */
  readonly needed: readonly NeedRow[];
  /** Why the answer is not complete, a sentence each. */
  readonly troubles: readonly string[];
}

/** A game directory. */
export interface ModRow {
  /** The number of archives directly in the folder. */
  readonly archives: number;
  /** Their size in bytes. */
  readonly bytes: number;
  /** The number of files on disk. */
  readonly files: number;
  /** The folder in each base directory and in the user directory. */
  readonly folders: readonly string[];
  /** The game to choose for it; null if none is needed. */
  readonly game: string | null;
  /** The number of levels. */
  readonly levels: number;
  /** The mission flag to choose for it; null if none is needed. */
  readonly mission: string | null;
  /** The name of the folder. */
  readonly name: string;
  /** The game's programs. */
  readonly programs: readonly string[];
  /** Why the engine does not search it. */
  readonly reason: string | null;
  /** Whether the engine searches the folder of exactly this name, always or by an option. */
  readonly selectable: boolean;
  /** Archives that cannot be read. Their contents are not counted. */
  readonly unread: readonly ReasonRow[];
}

/** A file that levels need and only some of the engines find. */
export interface NeedDifferenceRow {
  /** The engines that need and find it. */
  readonly found: readonly string[];
  /** The kind of file. */
  readonly kind: string;
  /** The engines that need it and do not find it. */
  readonly missing: readonly string[];
  /** The name. */
  readonly name: string;
}

/** A file that a level, a program or the engine needs. */
export interface NeedRow {
  /** Why it is missing, a word that stays the same in all versions. */
  readonly because: string | null;
  /** What needs it, from the level on. */
  readonly by: readonly string[];
  /** Whether a layer has it. */
  readonly found: boolean;
  /** What to do. */
  readonly help: string | null;
  /** A file with a similar name, which was probably meant. */
  readonly instead: string | null;
  /** The kind of file, such as `model`. */
  readonly kind: string;
  /** The layer that has it. */
  readonly layer: string | null;
  /** Whether it is required and no layer has it. */
  readonly missing: boolean;
  /** The modes that need it, such as `skill 3, coop`; empty for all. */
  readonly modes: string;
  /** The name that the engine looks up. */
  readonly name: string;
  /** Names that the engine would accept as well. */
  readonly others: readonly string[];
  /** `required`, `optional`, or `packed` for a file that belongs into a release although engines do not load it. */
  readonly presence: string;
  /** The same as a sentence. */
  readonly reason: string | null;
}

/** What levels need. */
export interface NeedsAnswer {
  /** What the engine itself needs. Empty unless all levels were asked for. */
  readonly engine: readonly NeedRow[];
  /** The levels. */
  readonly levels: readonly LevelRow[];
  /** How many of them are missing. */
  readonly missing: number;
  /** Why the answer may lack files, whatever the level. */
  readonly notes: readonly string[];
  /** What the program uses during play and the engine does not have. */
  readonly program: readonly IncidentRow[];
  /** How many files are required. */
  readonly required: number;
  /** The levels of which nobody knows all needs. */
  readonly unknown: number;
}

/** An overridden copy and its winner. */
export interface OverriddenRow {
  /** The rule that ranks the winner above, a word that stays the same in all versions. */
  readonly because: string;
  /** The copy that the engine loads. */
  readonly file: FileRow;
  /** The name. */
  readonly name: string;
  /** The overridden copy. */
  readonly overridden: FileRow;
  /** The same as a sentence. */
  readonly rule: string;
  /** Whether both have the same bytes; null if one cannot be read, or reading would take too long. */
  readonly same: boolean | null;
}

/** Files of a download that go to one folder for one reason. */
export interface PartRow {
  /** The evidence, a word that stays the same in all versions: `as`, `folder`, `text`, `base`, `levels`, `level-name`, `name`. */
  readonly by: string;
  /** The paths of its files in the download. */
  readonly files: readonly string[];
  /** The folder in the download, such as `progs_dump/pd/`; empty for the download itself. */
  readonly from: string;
  /** The game directory, if an option of the engine selects it. */
  readonly game: string | null;
  /** The same as a sentence. */
  readonly reason: string;
  /** The line of the author's text that names the place. */
  readonly text: string | null;
  /** The folder below the base directory, such as `pd/`, or `id1/maps/` for levels. */
  readonly to: string;
}

/** The search path of a game. */
export interface PathAnswer {
  /** What was chosen. */
  readonly chosen: ChosenRow;
  /** The problems of the mount: skipped archives, names that do not exist. */
  readonly findings: readonly FindingRow[];
  /** The layers that exist, the highest first. */
  readonly layers: readonly LayerRow[];
  /** Whether it is a registered copy, for an engine that checks. */
  readonly registration: RegistrationRow | null;
  /** Whether the engine starts, as far as the search path tells. */
  readonly starts: boolean;
  /** The user directory, if there is one. */
  readonly user_directory: UserDirectoryRow | null;
}

/** Where a download goes, and how it is started. */
export interface PlaceAnswer {
  /** The paths of a folder's ZIPs, each a download of its own. */
  readonly downloads: readonly string[];
  /** The engine that would load it. */
  readonly engine: string;
  /** What is there already; null without a base directory that contains the game. */
  readonly existing: ExistingRow | null;
  /** The family of games that it is for, such as `Quake II`. */
  readonly family: string;
  /** The download. */
  readonly file: string;
  /** Whether a place is only a guess from the name of the download. */
  readonly guess: boolean;
  /** What to do if nothing is placed. */
  readonly help: string | null;
  /** The files that stay in the download. */
  readonly left: readonly string[];
  /** What is unclear or could not be read, a sentence each. */
  readonly notes: readonly string[];
  /** Why nothing is placed, a word that stays the same in all versions. */
  readonly nothing: string | null;
  /** The parts that go somewhere. If there are none and no `downloads`, `nothing` tells why. */
  readonly parts: readonly PartRow[];
  /** The engine's program in the base directory, such as `hl.exe`, or else the engine's name. */
  readonly program: string;
  /** The same as a sentence. */
  readonly reason: string | null;
  /** How to start each of its game directories. */
  readonly starts: readonly StartRow[];
}

/** A sentence and what to do. */
export interface ReasonRow {
  /** What to do; null if nothing is known. */
  readonly help: string | null;
  /** The sentence. */
  readonly reason: string;
}

/** Whether a game is a registered copy. */
export interface RegistrationRow {
  /** The same as a sentence. */
  readonly reason: string;
  /** `registered`, `shareware` or `corrupt`. */
  readonly registration: string;
}

/** A copy that the engine does not look at. */
export interface SkippedRow {
  /** The same as steps that a program can carry out; empty if only a person can. */
  readonly advice: readonly AdviceRow[];
  /** Why, a word that stays the same in all versions: `skipped`, `other-case`, `too-deep`, `other-game`. */
  readonly because: string;
  /** What to do. */
  readonly help: string | null;
  /** The archive or the folder. */
  readonly layer: string;
  /** Where it is. */
  readonly location: string;
  /** The name. */
  readonly name: string;
  /** The same as a sentence. */
  readonly reason: string;
}

/** How a game directory of a download is started. */
export interface StartRow {
  /** The demo, if there is one and no level. */
  readonly demo: string | null;
  /** The game directories. */
  readonly games: readonly string[];
  /** The level, if one is known. */
  readonly level: string | null;
  /** The mission flags. */
  readonly missions: readonly string[];
  /** The words for the engine's command line, such as `-game`, `pd`, `+map`, `start`. */
  readonly words: readonly string[];
}

/** A replacement that the engine may load. */
export interface SubstituteRow {
  /** The engine. */
  readonly engine: string;
  /** Whether it is an addition to another replacement, such as a glow texture. */
  readonly is_addition: boolean;
  /** The kind of thing that it replaces: `texture`, `sky`, `music`, `model`, `skin`, `image`, `sound`. */
  readonly kind: string;
  /** The current level. */
  readonly level: string | null;
  /** The file that the engine loads; null if none is there. */
  readonly loaded: FileRow | null;
  /** The thing. */
  readonly name: string;
  /** Files with later names, in order. */
  readonly overridden: readonly FileRow[];
  /** Files that the engine skips because they rank below the thing. */
  readonly skipped: readonly FileRow[];
  /** The names that the engine tries, in order. */
  readonly tried: readonly string[];
}

/** What the undo of a journal did. */
export interface UndoAnswer {
  /** Whether everything was undone. The journal is then removed; otherwise it stays, and a second undo tries again. */
  readonly complete: boolean;
  /** The steps, the last one first. */
  readonly steps: readonly UndoneRow[];
}

/** What the undo of one step did. */
export interface UndoneRow {
  /** The path before the step, if the step was a rename; null for a file or a folder, which the undo removes. */
  readonly before: string | null;
  /** Whether it was undone. A step that has nothing to undo is not done, and has no error. */
  readonly done: boolean;
  /** Why it was not undone. */
  readonly error: string | null;
  /** The path that the step left, below the folder of the journal. */
  readonly path: string;
  /** Whether it stays, because it is a folder with other files, or a file that another download brought. */
  readonly shared: boolean;
}

/** A file that no level, program or engine needs. */
export interface UnusedRow {
  /** What the name says that it contains, such as `level`. */
  readonly content_type: string;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry: number | null;
  /** The index of the layer, 0 for the highest. */
  readonly index: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind: string;
  /** The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer: string;
  /** A missing file with a similar name, which this file was probably meant to be. */
  readonly meant: string | null;
  /** The name that finds the file. A byte that is not UTF-8 is `\xNN`. */
  readonly name: string;
  /** The size of the content in bytes. */
  readonly size: number;
  /** The name as the archive or the folder spells it. */
  readonly stored: string;
}

/** The user directory of an engine. */
export interface UserDirectoryRow {
  /** Whether it exists. */
  readonly exists: boolean;
  /** Whether only some builds of the engine look there. */
  readonly in_some_builds: boolean;
  /** Its path. */
  readonly path: string;
}

/** Whether a game starts. */
export interface VerdictRow {
  /** The engine. */
  readonly engine: string;
  /** Whether the engine starts and nothing is wrong. */
  readonly good: boolean;
  /** The same as a sentence. */
  readonly reason: string;
  /** `starts`, `starts-but`, `not-enough` or `does-not-start`. */
  readonly verdict: string;
}

/** Which copy of a name wins and which ones it overrides, or why none is found. */
export interface WhichRow {
  /** The same as steps that a program can carry out; empty if only a person can. */
  readonly advice: readonly AdviceRow[];
  /** Why no file is found, a word that stays the same in all versions, such as `skipped`; null if one is found. */
  readonly because: string | null;
  /** For a file beside a level: whether the engine loads it. */
  readonly companion: CompanionRow | null;
  /** What the name says that it contains, such as `level`. */
  readonly content_type?: string;
  /** Whether the winner depends on the order in which the disk lists the archives. */
  readonly disk_decides: boolean;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry?: number | null;
  /** Whether the engine finds a file. */
  readonly found: boolean;
  /** What to do if no file is found. */
  readonly help: string | null;
  /** The index of the layer, 0 for the highest. */
  readonly index?: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind?: string;
  /** The name of the layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer?: string;
  /** The name. */
  readonly name: string;
  /** The overridden copies, the highest first. */
  readonly overridden: readonly CopyRow[];
  /** Why the winner cannot be read, or why the engine stops on it. */
  readonly problem: FindingRow | null;
  /** The same as a sentence. */
  readonly reason: string | null;
  /** The size of the content in bytes. */
  readonly size?: number;
  /** Copies that the engine does not look at, the most relevant first. */
  readonly skipped: readonly SkippedRow[];
  /** The name as the archive or the folder spells it. */
  readonly stored?: string;
}

/** What one engine loads. */
export interface WinnerRow {
  /** What the name says that it contains, such as `level`. */
  readonly content_type?: string;
  /** The engine, with its system. */
  readonly engine: string;
  /** The number of the entry in its archive; null for a loose file. */
  readonly entry?: number | null;
  /** The index of the layer, 0 for the highest. */
  readonly index?: number;
  /** The kind of the layer: `pak`, `zip`, `dir`. */
  readonly kind?: string;
  /** The name of the layer, such as `id1/pak0.pak`, or `id1/` for loose files. */
  readonly layer?: string;
  /** The size of the content in bytes. */
  readonly size?: number;
  /** The name as the archive or the folder spells it. */
  readonly stored?: string;
}
