import type { CompanionsAnswer, DifferenceRow, EffectsRow, Engine, FileRow, FindingRow, Host, LayerRow, ModRow, NeedsAnswer, Options, OverriddenRow, PathAnswer, PlaceAnswer, ReasonRow, SubstituteRow, UnusedRow, VerdictRow, WhichRow } from "./rows.js";

export type * from "./rows.js";

/** A `FileSystemFileHandle`. */
export interface FileHandle {
  readonly kind: "file";
  readonly name: string;
  getFile(): Promise<Blob>;
}

/** A `FileSystemDirectoryHandle`. `mount` reads its `entries`, which the types of some projects lack. */
export interface DirectoryHandle {
  readonly kind: "directory";
  readonly name: string;
  getFileHandle(name: string): Promise<FileHandle>;
}

/** The caller's own source. */
export interface PositionSource {
  /** The size in bytes. */
  readonly size: number;
  /** Exactly the bytes of a range. */
  read(offset: number, length: number): ArrayBufferView | Promise<ArrayBufferView>;
}

/** The bytes of a source. A string is a URL. Bytes are not copied: do not change or transfer them while the game is mounted. */
export type Data = Blob | ArrayBuffer | ArrayBufferView | string | URL | RangeSource | PositionSource;

type Item = (Blob & { readonly name: string }) | FileHandle | DirectoryHandle | readonly [path: string, data: Data | FileHandle | DirectoryHandle];

/**
 * Where the files of a game are: a handle of a directory or a file, `File`s of an input or a drop, or data by path. The path of a file in a
 * handle begins with the name of the handle.
 *
 * The game is looked for as the command does it in a folder: in the handle, or else at the top of the sources; above; and below. Without
 * a game directory (`id1`), the archives of the folder are mounted on top of each other, and files of a later one win. `findings` lists
 * all other files.
 */
export type Sources = FileHandle | DirectoryHandle | Iterable<Item> | AsyncIterable<Item> | { readonly [path: string]: Data | FileHandle | DirectoryHandle };

type Compiled = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : never;

/** The WebAssembly module of the package: its address, an answer with its bytes, its bytes, or itself. */
export type ModuleData = string | URL | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | Compiled;

/** What a mount needs beside the options of the command. Paths are those of sources. Without `on`, names compare exactly, as on Linux. */
export interface MountOptions extends Options {
  readonly sources: Sources;
  /** The module, if a bundler moved it: `quakefs.wasm` of the package. */
  readonly module?: ModuleData;
  /** Stops the mount when it is aborted, and after the mount closes the game. Waiting questions fail with its reason. */
  readonly signal?: AbortSignal;
}

/** Mounts a game as its engine does. Several games may be mounted at once. Fails if one source cannot be read. */
export function mount(options: MountOptions): Promise<Quake>;

/** A mounted game. Its answers have the keys of the command's JSON. */
export interface Quake {
  /** The engine's name. `path` tells why it was chosen. */
  readonly engine: Engine;
  /** The folder of the sources that contains the game directories, `.` for the top; null if only archives are mounted. */
  readonly base: string | null;
  /** The layers, highest first. `path` also names known archives, which it reads. */
  readonly layers: readonly Omit<LayerRow, "known" | "pk3_checksum">[];
  /** How the options were understood, and what of them has no effect. */
  readonly notes: readonly ReasonRow[];
  /** The copy of a file that the engine loads. */
  find(name: string): FileRow | null;
  /** All copies of a file: the winner, then the overridden copies from the highest down. */
  copies(name: string): FileRow[];
  /** The winner of each name, sorted by name. */
  files(): FileRow[];
  /** The files whose names match a pattern, such as `maps/*.bsp`. */
  glob(pattern: string): FileRow[];
  /** The content of the winner of a name, or of a copy. */
  read(file: string | FileRow): Promise<Uint8Array<ArrayBuffer>>;
  /** Like `read`, but without reading if the bytes are stored uncompressed in a `File`: the blob is then a slice of it. */
  blob(file: string | FileRow): Promise<Blob>;
  /** What a file shows; null if its type shows nothing. */
  preview(file: string | FileRow): Promise<Shown | null>;
  /** Why a copy wins, or why a name is missing. */
  which(name: string): Promise<WhichRow>;
  /** The engine and why it was chosen, the layers, and whether the engine starts. */
  path(): Promise<PathAnswer>;
  /** The problems of the mount: skipped archives, and files that no request reaches. */
  findings(): Promise<FindingRow[]>;
  /** These problems, those of the files, and files that levels miss. Alike ones are one, unless `all`. Reads overridden copies and levels. */
  check(options?: { readonly all?: boolean }): Promise<FindingRow[]>;
  /** Whether the engine starts, and whether anything is wrong. Reads as `check` does. */
  verdict(): Promise<VerdictRow>;
  /** Every overridden copy with its winner, and whether both have the same bytes. */
  overridden(): Promise<OverriddenRow[]>;
  /** The names for which engines load different files. `@` adds a system: `["quakespasm", "fte@windows"]`. */
  compare(engines: readonly (Engine | `${Engine}@${Host}`)[]): Promise<DifferenceRow[]>;
  /** The files that the engine loads beside a level, and those that it ignores. */
  companions(level: string): Promise<CompanionsAnswer>;
  /** What the engine loads instead of a thing, such as `("texture", "wizwood1_8", "start")`. */
  substitutes(kind: "texture" | "sky" | "music" | "model" | "skin" | "image" | "sound", name: string, level?: string): Promise<SubstituteRow[]>;
  /** The files that levels need, by their paths or bare names. Without levels: all levels of the game, and the engine. */
  needs(...levels: readonly string[]): Promise<NeedsAnswer>;
  /** The files of the game that nothing needs. Fails if the game's program cannot be read. */
  unused(): Promise<UnusedRow[]>;
  /** The game directories of the base directory. */
  mods(): Promise<ModRow[]>;
  /** Where a download goes, by the path of its source, and what it changes there; `effects` is null if nothing is placed. */
  place(file: string, name?: string): Promise<{ readonly place: PlaceAnswer; readonly effects: EffectsRow | null }>;
  /** Gives the memory back. Waiting and later questions fail. */
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

declare global {
  // for libraries without them
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

/** A picture. */
export interface Picture {
  /** Its name in the file; empty if the file itself is the picture. */
  readonly name: string;
  /** The stored width in pixels; null if the browser decodes the picture. */
  readonly width: number | null;
  /** The stored height in pixels. */
  readonly height: number | null;
  /** The picture, perhaps scaled down. */
  readonly blob: Blob;
}

/** Triangles of a model that share one skin. */
export interface Surface {
  /** The index of its picture, or null. */
  readonly picture: number | null;
  /** Five numbers for each vertex: x (forward), y (left) and z (up), where the longest side of the model is 65535; then the position in the skin, to the right and down, where 4096 is the whole skin. */
  readonly vertices: Uint16Array<ArrayBuffer>;
  /** Three vertices for a triangle, clockwise seen from the front. */
  readonly triangles: Uint16Array<ArrayBuffer>;
}

/** What a file shows. */
export interface Shown {
  readonly kind: "pictures" | "model" | "level" | "sound" | "text";
  /** The pictures, the skins of a model or the textures of a level. */
  readonly pictures: readonly Picture[];
  /** The triangles of a model. */
  readonly surfaces: readonly Surface[];
  /** A text, or the title of a level. */
  readonly text: string | null;
}

/** A URL that is read by position. The server has to answer byte ranges. Several mounts may share it. */
export class RangeSource {
  constructor(url: string | URL, options?: { fetch?: typeof fetch; headers?: Readonly<Record<string, string>> });
  readonly url: string;
  /** The number of requests until now, of all mounts. */
  readonly requests: number;
}

/** A failure that quakefs explains. */
export class QuakeError extends Error {
  private constructor();
  /** What to do; empty if nothing is known. */
  readonly help: string;
  /** The address of a source that failed. */
  readonly url?: string;
  /** The status of the server's answer. */
  readonly status?: number;
  /** The failure of `fetch` or of a `Blob`. */
  readonly cause?: unknown;
}
