// Mounts a game and answers questions about it. See README.md.
import { Module, QuakeError } from "./module.js";
import { open, RangeSource } from "./sources.js";

export { QuakeError, RangeSource };

/** The bytes of sources that are kept between questions, and the most that one question may need. */
const KEPT = 32 << 20;
const MOST = 1 << 30;

/** The compiled parts, each once. */
const parts = new Map();

function part(url) {
  if (!parts.has(url.href)) {
    const compiled = compile(url);
    compiled.catch(() => parts.delete(url.href));
    parts.set(url.href, compiled);
  }
  return parts.get(url.href);
}

async function compile(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answers ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

const loadCore = () => part(new URL("./core.wasm", import.meta.url));
const loadSecond = () => part(new URL("./second.wasm", import.meta.url));

/** Mounts a game. */
export const mount = (options = {}) => Quake.mount(options);

class Quake {
  #module;
  #sources = [];
  #byPath;
  /** What the running question read in vain. */
  #missing = [];
  #running = 0;

  static async mount({ sources, engine, on, games: game = [], missions: mission = [] }) {
    const quake = new Quake();
    const opened = await open(sources);
    quake.#sources = opened;
    quake.#byPath = new Map(opened.map((source) => [source.path, source]));
    quake.#module = await Module.start(await loadCore(), loadSecond, (source, offset, room) => quake.#read(source, offset, room));
    const [path, size] = [opened.map((source) => source.path), opened.map((source) => source.size)];
    const question = { question: "mount", engine, on, game, mission, path, size };
    return Object.assign(quake, await quake.#ask(() => quake.#module.answer(question)));
  }

  #read(number, offset, room) {
    const source = this.#sources[number];
    const count = source ? source.copy(offset, room) : -1;
    if (count < 0 && source) this.#missing.push([source, offset, room.length]);
    return count;
  }

  /**
   * Asks until every byte that the answer needs is here. The module reads at once, but most sources answer later: an answer without some
   * bytes is thrown away, and asked again when they are here.
   */
  async #ask(question, then = (answer) => answer) {
    this.#running += 1;
    try {
      for (;;) {
        this.#missing = [];
        const answer = question();
        const missing = this.#missing;
        if (!missing.length) return then(checked(answer));
        await Promise.all(missing.map(([source, offset, length]) => source.need(offset, length)));
        const held = this.#held();
        if (held > MOST) throw new QuakeError({ error: `this answer needs more than ${MOST} bytes of the sources at once` });
      }
    } finally {
      this.#running -= 1;
      if (!this.#running) this.#trim();
    }
  }

  #held() {
    const windows = this.#sources.filter((source) => !source.source.bytes).flatMap((source) => source.windows());
    return windows.reduce((sum, window) => sum + window.bytes.length, 0);
  }

  /** Forgets the oldest windows beyond the limit. */
  #trim() {
    let held = this.#held();
    if (held <= KEPT) return;
    const all = this.#sources.filter((source) => !source.source.bytes).flatMap((source) => source.windows().map((window) => [source, window]));
    for (const [source, window] of all.sort((a, b) => a[1].used - b[1].used)) {
      if (held <= KEPT) return;
      source.forget(window);
      held -= window.bytes.length;
    }
  }

  /** An answer that needs no bytes of a source: everything about names is in memory. */
  #now(question) {
    this.#missing = [];
    const answer = checked(this.#module.answer(question));
    if (this.#missing.length) throw new Error(`${question.question} needs bytes of ${this.#missing[0][0].path}`);
    return answer;
  }

  async #second(question, then) {
    const { explain } = await this.#module.needSecond();
    return this.#ask(() => this.#module.ask(explain, question), then);
  }

  find(name) { return this.#now({ question: "find", name }); }

  copies(name) { return this.#now({ question: "copies", name }); }

  files() { return this.#now({ question: "files" }); }

  glob(pattern) { return this.#now({ question: "glob", pattern }); }

  read(file) {
    return this.#ask(() => this.#module.answer({ question: "read", ...keyOf(file) }), () => this.#module.bytes());
  }

  async blob(file) {
    const extent = await this.#ask(() => this.#module.answer({ question: "extent", ...keyOf(file) }));
    const blob = extent && this.#byPath.get(extent.path)?.source.blob;
    return blob ? blob.slice(extent.start, extent.end) : new Blob([await this.read(file)]);
  }

  findings() { return this.#second({ question: "findings" }); }

  check() { return this.#second({ question: "check" }); }

  explain(name) { return this.#second({ question: "explain", name }); }

  needs(level) { return this.#second({ question: "needs", name: level }); }

  preview(file) {
    return this.#second({ question: "preview", ...keyOf(file) }, (preview) => preview && withData(preview, this.#module.bytes()));
  }
}

/** The fields by which the module finds a copy: a name is the winner. */
const keyOf = (file) => (typeof file === "string" ? { name: file } : { name: file.name, index: file.index, entry: file.entry });

function checked(answer) {
  if (answer?.error != null) throw new QuakeError(answer);
  return answer;
}

/** A preview with its pictures as blobs and its numbers as arrays. */
function withData(preview, bytes) {
  const numbers = ({ start, end }) => new Uint16Array(bytes.buffer, start, (end - start) / 2);
  return {
    ...preview,
    pictures: preview.pictures.map(({ data, media, ...picture }) => ({ ...picture, blob: new Blob([bytes.subarray(data.start, data.end)], { type: media }) })),
    surfaces: preview.surfaces.map(({ picture, vertices, triangles }) => ({ picture, vertices: numbers(vertices), triangles: numbers(triangles) })),
  };
}
