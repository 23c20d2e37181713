// Mounts a game and answers questions about it. See README.md.
import { Module, QuakeError } from "./module.js";
import { bytesOf, open, RangeSource } from "./sources.js";

export { QuakeError, RangeSource };

/** The bytes of sources that are kept between questions, and the most that one question may need. */
const KEPT = 32 << 20;
const MOST = 1 << 30;

/** The compiled parts by their addresses, each once. */
const parts = new Map();

function part(from) {
  if (typeof from !== "string" && !(from instanceof URL)) return compile(from);
  const address = String(from);
  if (!parts.has(address)) {
    const compiled = compile(address);
    compiled.catch(() => parts.delete(address));
    parts.set(address, compiled);
  }
  return parts.get(address);
}

/** Compiles the bytes of an address or a response; a module is compiled already. */
async function compile(from) {
  let data = await from;
  if (data instanceof WebAssembly.Module) return data;
  let [place, about] = [typeof data === "string" ? data : "the given data", ""];
  // an import of a module of Node.js would stop bundlers for browsers
  const disk = place.startsWith("file:") && globalThis.process?.getBuiltinModule?.("node:fs/promises");
  try {
    if (disk) data = await disk.readFile(new URL(place));
    else if (typeof data === "string") data = await fetch(place);
    if (data instanceof Response) {
      [place, about] = [data.url || place, ` (${data.status}, ${data.headers.get("content-type")})`];
      data = await data.arrayBuffer();
    }
  } catch (cause) {
    throw new QuakeError({ error: `${place} cannot be loaded: ${cause.message}`, url: place, cause });
  }
  const start = String.fromCharCode(...bytesOf(data).subarray(0, 16));
  if (start.startsWith("\0asm")) return WebAssembly.compile(data);
  throw new QuakeError({
    error: `${place} is not a module of quakefs: it starts with ${JSON.stringify(start)}${about}. Give the addresses of core.wasm and second.wasm in the option \`modules\``,
    help: 'see "Bundlers" in the README',
  });
}

/** Mounts a game. */
export const mount = (options = {}) => Quake.mount(options);

class Quake {
  #module;
  #sources = [];
  #byPath = new Map();
  /** The sources that are in no layer. */
  #leftOut = [];
  /** The questions without an answer, and the one that reads now. */
  #questions = new Set();
  #reading;
  /** Ends requests and questions. */
  #end = new AbortController();

  static async mount({ sources, engine, on, games: game = [], missions: mission = [], modules = {}, signal }) {
    const quake = new Quake();
    const end = quake.#end.signal;
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => quake.#close(signal.reason), { once: true, signal: end });
      const opened = await open(sources, end);
      // bundlers look for exactly these expressions
      const core = await part(modules.core ?? new URL("./core.wasm", import.meta.url));
      const loadSecond = () => part(modules.second ?? new URL("./second.wasm", import.meta.url));
      quake.#module = await Module.start(core, loadSecond, (source, offset, room) => quake.#read(source, offset, room));
      quake.#sources = opened;
      const folder = sources.kind === "directory" ? sources.name : "";
      return Object.assign(quake, await quake.#mount({ question: "mount", engine, on, game, mission, size: opened.map((source) => source.size) }, folder));
    } catch (error) {
      quake.#close(error);
      throw error;
    }
  }

  /** Mounts the sources, which are perhaps the content of a game directory with this name. */
  async #mount(question, folder) {
    const folders = folder ? ["", `${folder}/`, ""] : [""];
    for (const [index, above] of folders.entries()) {
      const isLast = index === folders.length - 1;
      this.#byPath = new Map(this.#sources.map((source) => [above + source.path, source]));
      const path = [...this.#byPath.keys()];
      try {
        const mounted = await this.#ask(() => this.#module.answer({ ...question, path }));
        if (mounted.base == null && !isLast) continue;
        const layers = new Set(mounted.layers.map((layer) => layer.name));
        if (mounted.base == null) this.#leftOut = path.filter((path) => !layers.has(path));
        return mounted;
      } catch (error) {
        if (isLast) throw error;
      }
    }
  }

  #read(number, offset, room) {
    const source = this.#sources[number];
    const { windows, missing } = this.#reading;
    const count = source ? source.copy(offset, room, windows) : -1;
    if (count < 0 && source) missing.set(`${number} ${offset}`, [source, offset, room.length]);
    return count;
  }

  /** Asks once. */
  #try(question, windows = new Set()) {
    this.#end.signal.throwIfAborted();
    this.#reading = { windows, missing: new Map() };
    const answer = question();
    return [answer, [...this.#reading.missing.values()]];
  }

  /**
   * Asks until every byte that the answer needs is here. The module reads at once, but most sources answer later: an answer without some
   * bytes is thrown away, and asked again when they are here. Windows that a question read are kept until its answer.
   */
  async #ask(question, then = (answer) => answer, extent = null) {
    const windows = new Set();
    this.#questions.add(windows);
    try {
      if (extent) await readAll(extent, windows);
      for (;;) {
        const [answer, missing] = this.#try(question, windows);
        if (!missing.length) return then(checked(answer));
        limit(windows, missing);
        await Promise.all(missing.map(([source, offset, length]) => source.need(offset, length, windows)));
      }
    } finally {
      this.#questions.delete(windows);
      this.#trim();
    }
  }

  /** Forgets the oldest windows beyond the limit that no question needs. */
  #trim() {
    let held = this.#sources.reduce((sum, source) => sum + source.held, 0);
    if (held <= KEPT) return;
    const needed = new Set([...this.#questions].flatMap((windows) => [...windows]));
    const unneeded = this.#sources.flatMap((source) => source.windows()).filter((window) => !needed.has(window));
    const gone = new Set();
    for (const window of unneeded.sort((a, b) => a.used - b.used)) {
      if (held <= KEPT) break;
      gone.add(window);
      held -= window.bytes.length;
    }
    for (const source of this.#sources) source.forget(gone);
  }

  /** An answer that needs no bytes of a source: everything about names is in memory. */
  #now(question) {
    const [answer, missing] = this.#try(() => this.#module.answer(question));
    if (missing.length) throw new Error(`${question.question} needs bytes of ${missing[0][0].path}`);
    return checked(answer);
  }

  async #second(question, then) {
    this.#end.signal.throwIfAborted();
    const { explain } = await this.#module.needSecond();
    return this.#ask(() => this.#module.ask(explain, question), then);
  }

  find(name) { return this.#now({ question: "find", name }); }

  copies(name) { return this.#now({ question: "copies", name }); }

  files() { return this.#now({ question: "files" }); }

  glob(pattern) { return this.#now({ question: "glob", pattern }); }

  /** The source with the plain bytes of a file, and their range; null if they are compressed. */
  async #extent(file) {
    const extent = await this.#ask(() => this.#module.answer({ question: "extent", ...keyOf(file) }));
    return extent && { ...extent, source: this.#byPath.get(extent.path) };
  }

  async read(file) {
    const extent = await this.#extent(file);
    return this.#ask(() => this.#module.answer({ question: "read", ...keyOf(file) }), () => this.#module.bytes(), extent);
  }

  async blob(file) {
    const extent = await this.#extent(file);
    const blob = extent?.source?.source.blob;
    return blob ? blob.slice(extent.start, extent.end) : new Blob([await this.read(file)]);
  }

  async findings() { return [...await this.#second({ question: "findings" }), ...this.#leftOut.map(leftOut)]; }

  async check() { return [...await this.#second({ question: "check" }), ...this.#leftOut.map(leftOut)]; }

  explain(name) { return this.#second({ question: "explain", name }); }

  async needs(level) {
    const path = `maps/${level}.bsp`;
    if (!this.find(level) && this.find(path)) throw new QuakeError({ error: `${level} is not a file: the path of this level is ${path}` });
    return this.#second({ question: "needs", name: level });
  }

  preview(file) {
    return this.#second({ question: "preview", ...keyOf(file) }, (preview) => preview && withData(preview, this.#module.bytes()));
  }

  close() { this.#close(new Error("this game was closed")); }

  #close(reason) {
    this.#end.abort(reason);
    for (const source of this.#sources) source.clear();
    [this.#module, this.#sources, this.#byPath] = [undefined, [], new Map()];
  }
}

/** Reads plain bytes at once, because the module reads a loose file in small parts. */
async function readAll({ source, start, end }, windows) {
  if (!source || source.source.loadNow) return;
  limit(windows, [[source, start, end - start]]);
  for (let offset = start; offset < end;) offset = (await source.need(offset, end - offset, windows)).end;
}

/** Refuses a question that needs too many bytes, before it reads them. */
function limit(windows, missing) {
  const held = [...windows].reduce((sum, { start, end }) => sum + end - start, 0);
  const wanted = missing.reduce((sum, [, , length]) => sum + length, 0);
  if (held + wanted > MOST) throw new QuakeError({ error: `this answer needs more than ${MOST} bytes of the sources at once` });
}

/** The fields by which the module finds a copy: a name is the winner. */
const keyOf = (file) => (typeof file === "string" ? { name: file } : { name: file.name, index: file.index, entry: file.entry });

/** The finding about a source that is in no layer, because the sources contain no game directory. */
const leftOut = (path) => ({
  kind: "not-mounted", severity: "note", layer: path, name: null, place: path, reason: "not mounted: the sources contain archives but no game directory",
  help: "put it into a game directory: give it a path such as id1/config.cfg", stops: false,
});

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
