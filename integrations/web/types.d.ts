// The rows of `src/rows.rs`. A test compares the names of engines and systems.

/** An engine's name. */
export type Engine = "winquake" | "quakespasm" | "quakespasm-0.95" | "ironwail" | "qss" | "qss-m" | "joequake" | "darkplaces" | "darkplaces-2024" | "xonotic" | "nexuiz" | "fte" | "mvdsv" | "ezquake" | "quake2" | "yquake2" | "q2pro" | "q2rtx" | "goldsrc" | "goldsrc-2023" | "quakeworld" | "vkquake" | "vkquake-1.35" | "vkquake-1.34" | "vkquake-1.32" | "hexen2" | "sin" | "daikatana" | "ioquake3" | "quake3e" | "openarena" | "etlegacy" | "openjk" | "openjk-sp" | "iortcw" | "iortcw-sp" | "urban-terror" | "padman" | "smokin-guns" | "quake-kex" | "quake2-kex" | "trenchbroom" | "ericw-tools";

/** The system that the engine runs on. */
export type Host = "linux" | "macos" | "windows";

/** A copy of a file in a layer. */
export interface QuakeFile {
  /** The name that finds the file. A byte that is not UTF-8 is `\xNN`. */
  readonly name: string;
  /** The name of the layer that has it, such as `id1/pak0.pak`. */
  readonly layer: string;
  /** The index of the layer, 0 for the highest. */
  readonly index: number;
  /** The number of the entry in the archive; null for a loose file. */
  readonly entry: number | null;
  /** The size of the content in bytes. */
  readonly size: number;
}

/** A layer of the search path: an archive, or the loose files of a game directory. */
export interface Layer {
  /** Its name: the path from the base directory, with `/` at the end for loose files. Without a base directory, the path of the source. */
  readonly name: string;
  /** `pak`, `zip` or another kind of archive; `dir` for loose files. */
  readonly kind: string;
  /** The number of entries; null for loose files. */
  readonly entries: number | null;
}

/** A mounted game. */
export interface Mounted {
  /** The engine's name. */
  readonly engine: Engine;
  /** The folder of the sources that contains the game directories; empty for the top, null if only archives are mounted. */
  readonly base: string | null;
  /** The layers, highest first. */
  readonly layers: readonly Layer[];
}

/** A problem of a game. */
export interface Finding {
  /** The kind, a word that stays the same in all versions: `gap`, `hidden-loose`. New versions may have more words. */
  readonly kind: string;
  /** How severe it is. */
  readonly severity: "error" | "warning" | "note";
  /** The layer or archive with the problem. */
  readonly layer: string;
  /** The name of the file with the problem, or null. */
  readonly name: string | null;
  /** Where it is, in a few words, with paths from the base directory. */
  readonly place: string;
  /** The problem in a sentence. */
  readonly reason: string;
  /** What to do, or null. */
  readonly help: string | null;
  /** Whether the engine stops with an error because of this. */
  readonly stops: boolean;
}

/** An overridden copy and the rule that ranks the winner above it. */
export interface Overridden {
  /** The copy. */
  readonly file: QuakeFile;
  /** The rule. */
  readonly rule: string;
}

/** Which copy of a name wins and which ones it overrides, or why none is found. */
export interface Explanation {
  /** The winner, or null. */
  readonly file: QuakeFile | null;
  /** The overridden copies, highest first. */
  readonly overridden: readonly Overridden[];
  /** Why no file is found, a word that stays the same in all versions: `left-out`. New versions may have more words. Null if a file is found. */
  readonly cause: string | null;
  /** The explanation as lines of text. */
  readonly text: string;
  /** What to do if no file is found, or null. */
  readonly help: string | null;
}

/** A file that a level needs. */
export interface Need {
  /** The name that the engine looks up. */
  readonly name: string;
  /** The kind of file. */
  readonly kind: "level" | "program" | "model" | "sound" | "music" | "texture" | "wad" | "sky" | "image" | "skin" | "companion" | "file";
  /** Whether the engine requires it. */
  readonly presence: "required" | "optional" | "packed";
  /** Whether it is missing. */
  readonly missing: boolean;
  /** What needs it, from the level on. */
  readonly by: string;
}

/** The files that a level needs. */
export interface Needs {
  /** The files, each once, missing files first. */
  readonly asked: readonly Need[];
  /** Problems that make the answer incomplete. */
  readonly troubles: readonly string[];
}

/** A picture. */
export interface Picture {
  /** Its name in the file; empty if the file itself is the picture. */
  readonly name: string;
  /** The stored width in pixels; null if the browser decodes the picture. */
  readonly width: number | null;
  /** The stored height in pixels. */
  readonly height: number | null;
  /** The media type of the data. */
  readonly media: string;
  /** The picture, perhaps scaled down. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Triangles of a model that share one skin. */
export interface Surface {
  /** The index of its picture, or null. */
  readonly picture: number | null;
  /** The bytes of 16-bit numbers, five for each vertex: x (forward), y (left) and z (up), where the longest side of the model is 65535; then the position in the skin, to the right and down, where 4096 is the whole skin. */
  readonly vertices: Uint8Array<ArrayBuffer>;
  /** The bytes of 16-bit numbers, three vertices for a triangle, clockwise seen from the front. */
  readonly triangles: Uint8Array<ArrayBuffer>;
}

/** What a file shows. */
export interface Preview {
  /** `pictures`, `model`, `level`, `sound` or `text`. */
  readonly kind: string;
  /** The pictures, the skins of a model or the textures of a level. */
  readonly pictures: readonly Picture[];
  /** The triangles of a model. */
  readonly surfaces: readonly Surface[];
  /** A text, or the title of a level. */
  readonly text: string | null;
}
