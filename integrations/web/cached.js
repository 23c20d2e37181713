// The parts of sources that were read: each request to a server, and each read in a browser, costs a millisecond or more.

/**
 * The size of the first window that is read at a place, and the largest. Each window that continues another is twice as long. A window of a
 * question that has read much may be half as large as that: each further window costs a new try of the whole question.
 */
export const FIRST = 1 << 10;
const LARGEST = 1 << 20;
/** The first window at the end of a source: the directory of most ZIPs is within it. */
const TAIL = 1 << 14;
/** The most windows of all sources that load at once: these can be read again. */
const KEPT = 8;

/** The bytes of windows. */
export const sizeOf = (windows) => [...windows].reduce((sum, { start, end }) => sum + end - start, 0);

/** A source with the windows of it that were read. They never overlap, and are sorted. */
export class Cached {
  #windows = [];
  /** Windows without bytes yet. */
  #pending = new Set();
  /** Counts reads, for the oldest window. */
  static #now = 0;
  /** The windows of sources that load at once, with their sources, oldest first. */
  static #loaded = [];

  constructor(path, source, first) {
    this.path = path;
    this.source = source;
    this.size = source.size;
    /** The bytes of all windows. */
    this.held = 0;
    if (first?.length) this.#add({ start: 0, end: first.length, bytes: first });
  }

  /** The window at or before an offset, and its index. */
  #before(offset) {
    let [low, high] = [0, this.#windows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#windows[middle].start <= offset) low = middle + 1;
      else high = middle;
    }
    return [this.#windows[low - 1], low];
  }

  #at(offset) {
    const [window] = this.#before(offset);
    return window && offset < window.end ? window : null;
  }

  #add(window) {
    window.used = Cached.#now += 1;
    this.#windows.splice(this.#before(window.start)[1], 0, window);
    this.held += window.bytes.length;
    return window;
  }

  /**
   * Copies the bytes from an offset that are here into `room`, and returns how many; -1 if the first is not here. Adds their window to
   * `windows`, unless it can be read again at once.
   */
  copy(offset, room, windows) {
    if (offset >= this.size || !room.length) return 0;
    let window = this.#at(offset);
    if (!window) {
      const [start, end] = this.#wanted(offset, room.length);
      const loaded = this.#loadNow(start, end);
      if (!loaded) return -1;
      if (room.length >= LARGEST) {
        room.set(loaded);
        return loaded.length;
      }
      window = this.#add({ start, end, bytes: loaded });
      Cached.#loaded.push([this, window]);
      if (Cached.#loaded.length > KEPT) {
        const [source, oldest] = Cached.#loaded.shift();
        source.forget(new Set([oldest]));
      }
    } else if (!this.source.loadNow) {
      windows?.add(window);
    }
    window.used = Cached.#now += 1;
    const bytes = window.bytes.subarray(offset - window.start, offset - window.start + room.length);
    room.set(bytes);
    return bytes.length;
  }

  /** The bytes of a range, from a source that loads at once. */
  #loadNow(start, end) {
    try {
      const bytes = this.source.loadNow?.(start, end);
      return bytes?.length === end - start ? bytes : null;
    } catch {
      // an error must not pass through the module; `need` has a sentence
      return null;
    }
  }

  /** The range to read for bytes that are not here. */
  #wanted(offset, length, largest = LARGEST) {
    const [before, index] = this.#before(offset);
    const after = this.#windows[index];
    const continues = before?.end === offset;
    const size = Math.max(length, continues ? Math.min(2 * before.bytes.length, largest) : FIRST);
    const end = Math.min(offset + size, after?.start ?? this.size);
    const isTail = end === this.size && length <= FIRST && !continues;
    return [isTail ? Math.max(Math.min(offset, end - TAIL), before?.end ?? 0) : offset, Math.min(end, this.size)];
  }

  /** Reads bytes that are not here. Returns their window, and adds it to `windows` before it has bytes. */
  async need(offset, length, windows = new Set()) {
    const isThere = ({ start, end }) => start <= offset && offset < end;
    const window = this.#at(offset) ?? [...this.#pending].find(isThere) ?? this.#load(offset, length, Math.max(LARGEST, sizeOf(windows) / 2 | 0));
    windows.add(window);
    await window.loading;
    return window;
  }

  #load(offset, length, largest) {
    const [start, end] = this.#wanted(offset, length, largest);
    const window = { start, end };
    for (const other of this.#pending) {
      if (other.start > offset) window.end = Math.min(window.end, other.start);
      else window.start = Math.max(window.start, other.end);
    }
    this.#pending.add(window);
    const load = async () => {
      try {
        window.bytes = await this.source.load(window.start, window.end);
        this.#add(window);
      } finally {
        this.#pending.delete(window);
        window.loading = null;
      }
    };
    window.loading = load();
    return window;
  }

  windows() {
    return this.#windows;
  }

  /** Forgets windows of a set. */
  forget(gone) {
    this.#windows = this.#windows.filter((window) => !gone.has(window));
    this.held = this.#windows.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  clear() {
    [this.#windows, this.held] = [[], 0];
    Cached.#loaded = Cached.#loaded.filter(([source]) => source !== this);
  }
}
