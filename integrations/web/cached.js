// The parts of sources that were read: each request to a server, and each read in a browser, costs a millisecond or more.

/** The size of the first window that is read at a place, and the largest. Each window that continues another is twice as long. */
export const FIRST = 1 << 10;
const LARGEST = 1 << 20;
/** The first window at the end of a source: the directory of most ZIPs is within it. */
const TAIL = 1 << 14;
/** The most windows of all sources that load at once: these can be read again. */
const KEPT = 8;

/** A source with the windows of it that were read. They never overlap, and are sorted. */
export class Cached {
  #windows = [];
  #pending = new Map();
  /** Counts reads, for the oldest window. */
  static #now = 0;
  /** The windows of sources that load at once, with their sources, oldest first. */
  static #loaded = [];

  constructor(path, source, first) {
    this.path = path;
    this.source = source;
    this.size = source.size;
    if (first?.length) this.#add(0, first);
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

  #add(start, bytes) {
    const window = { start, bytes, used: (Cached.#now += 1) };
    this.#windows.splice(this.#before(start)[1], 0, window);
    return window;
  }

  /** Copies the bytes from an offset that are here into `room`, and returns how many; -1 if the first is not here. */
  copy(offset, room) {
    if (offset >= this.size || !room.length) return 0;
    let [window] = this.#before(offset);
    if (!window || offset >= window.start + window.bytes.length) {
      const [start, end] = this.#wanted(offset, room.length);
      const loaded = this.#loadNow(start, end);
      if (!loaded) return -1;
      if (room.length >= LARGEST) {
        room.set(loaded);
        return loaded.length;
      }
      window = this.#add(start, loaded);
      Cached.#loaded.push([this, window]);
      if (Cached.#loaded.length > KEPT) {
        const [source, oldest] = Cached.#loaded.shift();
        source.forget(oldest);
      }
    }
    window.used = (Cached.#now += 1);
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
  #wanted(offset, length) {
    const [before, index] = this.#before(offset);
    const after = this.#windows[index];
    const continues = before && before.start + before.bytes.length === offset;
    const size = Math.max(length, continues ? Math.min(2 * before.bytes.length, LARGEST) : FIRST);
    const end = Math.min(offset + size, after?.start ?? this.size);
    const isTail = end === this.size && length <= FIRST && !continues;
    return [isTail ? Math.max(Math.min(offset, end - TAIL), before ? before.start + before.bytes.length : 0) : offset, Math.min(end, this.size)];
  }

  /** Reads bytes that are not here. */
  async need(offset, length) {
    const [window] = this.#before(offset);
    if (window && offset < window.start + window.bytes.length) return;
    for (const [range, running] of this.#pending) {
      if (range[0] <= offset && offset < range[1]) { await running; return; }
    }
    const range = this.#wanted(offset, length);
    for (const [other] of this.#pending) {
      if (other[0] > offset) range[1] = Math.min(range[1], other[0]);
    }
    const running = this.source.load(...range);
    this.#pending.set(range, running);
    try {
      this.#add(range[0], await running);
    } finally {
      this.#pending.delete(range);
    }
  }

  windows() {
    return this.#windows;
  }

  forget(window) {
    this.#windows = this.#windows.filter((one) => one !== window);
  }
}
