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
  /** A model: `.mdl`, `.md2`, `.md3`. */
  model(file: string | FileRow): Promise<Model>;
  /** The faces of a level with their textures and light. */
  level(file: string | FileRow): Promise<Level>;
  /** The keys and values of each entity of a level, the world first. */
  entities(file: string | FileRow): Promise<{ readonly [key: string]: string }[]>;
  /** A sound: `.wav`, or the facts of an `.ogg`. */
  sound(file: string | FileRow): Promise<Sound>;
  /** A picture with the palette of the game: `.lmp`, `.wal`, `.pcx`, `.tga`. Null if a WAD has none. */
  picture(file: string | FileRow): Promise<Picture | null>;
  /** All pictures of a file: the textures of a `.wad`, the frames of a `.spr`. */
  pictures(file: string | FileRow): Promise<Picture[]>;
  /** What a demo, a saved game, a program or coloured light tells, such as its `Level` or its `Length`. */
  facts(file: string | FileRow): Promise<{ readonly [about: string]: string }>;
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
  /** The same game, whose questions fail with the reason of a signal once it is aborted: `quake.until(AbortSignal.timeout(1000)).read(file)`. */
  until(signal: AbortSignal): Quake;
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

/** A picture in RGBA, from the top; an `ImageData` without a browser. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** A model. All frames share the triangles. Vertices on a seam of the skin are repeated. */
export interface Model {
  /** Three vertices for a triangle, clockwise seen from the front. */
  readonly triangles: Uint32Array<ArrayBuffer>;
  /** Two numbers for each vertex: to the right and down on the skin, from 0 to 1. */
  readonly uvs: Float32Array<ArrayBuffer>;
  /** Frames of one group are shown in turn, each until its `time` in seconds. Three numbers for each vertex: forward, left, up. */
  readonly frames: readonly { readonly name: string; readonly group: number; readonly time: number; readonly positions: Float32Array<ArrayBuffer> }[];
  /** The skins in the file. The pictures of one are shown in turn, each until its `time`. */
  readonly skins: readonly (readonly (Pixels & { readonly time: number })[])[];
  /** The triangles of each skin file or shader, from `start`; `file` is what the engine loads for it, for `picture`. The name is empty if the skin is in the model. */
  readonly surfaces: readonly { readonly name: string; readonly file: string | null; readonly start: number; readonly count: number }[];
}

/** The faces of the world of a level, without doors and other models. */
export interface Level {
  /** Three numbers for each corner, one face after another. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** Two numbers for each corner: the position on the texture in pixels; in Quake III from 0 to 1. */
  readonly uvs: Float32Array<ArrayBuffer>;
  /** Two numbers for each corner: the position in the light of its face, from 0 to 1. */
  readonly lightUvs: Float32Array<ArrayBuffer>;
  /** Three corners for a triangle. */
  readonly triangles: Uint32Array<ArrayBuffer>;
  /** The number of corners of each face. */
  readonly corners: Uint32Array<ArrayBuffer>;
  /** The index of each face's texture. */
  readonly faceTextures: Uint32Array<ArrayBuffer>;
  /** Four numbers for each face: where its light starts in `light`, its width and height in samples, and the number of styles; 0 without light. */
  readonly faceLights: Uint32Array<ArrayBuffer>;
  /** The picture is null if its pixels are in another file. */
  readonly textures: readonly { readonly name: string; readonly picture: Pixels | null }[];
  /** The light of all faces: one byte for each sample in Quake, three in later games. */
  readonly light: Uint8Array<ArrayBuffer>;
  readonly lightChannels: 1 | 3;
}

/** A sound. */
export interface Sound {
  /** Samples a second. */
  readonly rate: number;
  readonly channels: number;
  readonly seconds: number;
  /** Whether it has a loop mark, as ambient sounds do. */
  readonly loops: boolean;
  /** Bytes around 128 or numbers of 16 bits, one for each channel in turn; null if they are compressed. */
  readonly samples: Uint8Array<ArrayBuffer> | Int16Array<ArrayBuffer> | null;
}

/** A picture of a file. */
export interface Picture extends Pixels {
  /** Its name in the file; empty if the file itself is the picture. */
  readonly name: string;
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
