import type { Engine, Explanation, Finding, Host, Layer, Mounted, Needs, Picture, Preview, QuakeFile, Surface } from "./types.js";

export type { Engine, Explanation, Finding, Host, Layer, Need, Needs, Overridden, QuakeFile } from "./types.js";

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
 * Where the files of a game are: a handle of a directory or a file, `File`s of an input or a drop, or data by path. The topmost folder that
 * contains a game directory of the engine (`id1`) is the base directory. A handle may also be the game directory itself.
 *
 * Without a game directory, the archives at the top are mounted on top of each other, and files of a later one win. `findings` lists all
 * other files.
 */
export type Sources = FileHandle | DirectoryHandle | Iterable<Item> | AsyncIterable<Item> | { readonly [path: string]: Data | FileHandle | DirectoryHandle };

type Compiled = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : never;

/** The WebAssembly module of the package: its address, an answer with its bytes, its bytes, or itself. */
export type ModuleData = string | URL | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | Compiled;

export interface MountOptions {
  readonly sources: Sources;
  /** The engine. Default: the first whose game directory is there. */
  readonly engine?: Engine;
  /** The system that the engine runs on. Default: names compare exactly, as on Linux. */
  readonly on?: Host;
  /** The games, as for `-game`. */
  readonly games?: readonly string[];
  /** The flags of missions, such as `hipnotic`. */
  readonly missions?: readonly string[];
  /** The module, if a bundler moved it: `quakefs.wasm` of the package. */
  readonly module?: ModuleData;
  /** Stops the mount when it is aborted, and after the mount closes the game. Waiting questions fail with its reason. */
  readonly signal?: AbortSignal;
}

/** Mounts a game as its engine does. Several games may be mounted at once. Fails if one source cannot be read. */
export function mount(options: MountOptions): Promise<Quake>;

/** A mounted game. */
export interface Quake extends Readonly<Mounted> {
  /** The layers, highest first. */
  readonly layers: readonly Layer[];
  /** The copy of a file that the engine loads. */
  find(name: string): QuakeFile | null;
  /** All copies of a file: the winner, then the overridden copies from the highest down. */
  copies(name: string): QuakeFile[];
  /** The winner of each name, sorted by name. */
  files(): QuakeFile[];
  /** The files whose names match a pattern, such as `maps/*.bsp`. */
  glob(pattern: string): QuakeFile[];
  /** The content of the winner of a name, or of a copy. */
  read(file: string | QuakeFile): Promise<Uint8Array<ArrayBuffer>>;
  /** Like `read`, but without reading if the bytes are stored uncompressed in a `File`: the blob is then a slice of it. */
  blob(file: string | QuakeFile): Promise<Blob>;
  /** The problems of the mount: skipped archives, and files that no request reaches. */
  findings(): Promise<Finding[]>;
  /** These problems, and problems of the files themselves; this reads overridden copies. `needs` tells what a level misses. */
  check(): Promise<Finding[]>;
  /** Why a copy wins, or why a name is missing. */
  explain(name: string): Promise<Explanation>;
  /** The files that a level needs, by its path such as `maps/start.bsp`. */
  needs(level: string): Promise<Needs>;
  /** What a file shows; null if its type shows nothing. */
  preview(file: string | QuakeFile): Promise<Shown | null>;
  /** Gives the memory back. Waiting and later questions fail. */
  close(): void;
}

/** A preview with its bytes in place. */
export type Shown = Omit<Preview, "kind" | "pictures" | "surfaces"> & {
  readonly kind: "pictures" | "model" | "level" | "sound" | "text";
  readonly pictures: readonly (Omit<Picture, "data" | "media"> & { readonly blob: Blob })[];
  readonly surfaces: readonly (Omit<Surface, "vertices" | "triangles"> & { readonly vertices: Uint16Array<ArrayBuffer>; readonly triangles: Uint16Array<ArrayBuffer> })[];
};

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
