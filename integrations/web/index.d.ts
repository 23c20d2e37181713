import type { Engine, Explanation, Finding, Host, Layer, Mounted, Needs, Picture, Preview, QuakeFile, Surface } from "./types.js";

export type { Engine, Explanation, Finding, Host, Layer, Need, Needs, Overridden, QuakeFile } from "./types.js";

/** The bytes of a source. A string is a URL. */
export type Data = Blob | ArrayBuffer | ArrayBufferView | string | URL | RangeSource;

/**
 * Where the files of a game are: a handle of a directory or a file, `File`s of an input or a drop, or data by path. The folder that
 * contains a game directory of the engine (`id1`) is the base directory. Archives without a game directory are mounted on top of each other.
 */
export type Sources =
  | FileSystemDirectoryHandle
  | FileSystemFileHandle
  | Iterable<File | FileSystemDirectoryHandle | FileSystemFileHandle | readonly [path: string, data: Data | FileSystemDirectoryHandle | FileSystemFileHandle]>
  | { readonly [path: string]: Data | FileSystemDirectoryHandle | FileSystemFileHandle };

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
}

/** Mounts a game as its engine does. Several games may be mounted at once. */
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
  read(file: string | QuakeFile): Promise<Uint8Array>;
  /** Like `read`, but without reading if the bytes are stored uncompressed in a `File`: the blob is then a slice of it. */
  blob(file: string | QuakeFile): Promise<Blob>;
  /** The problems of the mount: skipped archives, and files that no request reaches. Loads the second module. */
  findings(): Promise<Finding[]>;
  /** All problems; this reads overridden copies. Loads the second module. */
  check(): Promise<Finding[]>;
  /** Why a copy wins, or why a name is missing. Loads the second module. */
  explain(name: string): Promise<Explanation>;
  /** The files that a level needs. Loads the second module. */
  needs(level: string): Promise<Needs>;
  /** What a file shows; null if its type shows nothing. Loads the second module. */
  preview(file: string | QuakeFile): Promise<Shown | null>;
}

/** A preview with its bytes in place. */
export type Shown = Omit<Preview, "pictures" | "surfaces"> & {
  readonly pictures: readonly (Omit<Picture, "data" | "media"> & { readonly blob: Blob })[];
  readonly surfaces: readonly (Omit<Surface, "vertices" | "triangles"> & { readonly vertices: Uint16Array; readonly triangles: Uint16Array })[];
};

/** Reads a URL by position. The server has to answer byte ranges. */
export class RangeSource {
  constructor(url: string | URL, options?: { fetch?: typeof fetch; headers?: Readonly<Record<string, string>> });
  readonly url: string;
  /** The size in bytes, after the mount. */
  readonly size: number | undefined;
  /** The number of requests until now. */
  readonly requests: number;
}

/** A failure that quakefs explains. */
export class QuakeError extends Error {
  /** What to do; empty if nothing is known. */
  readonly help: string;
}
