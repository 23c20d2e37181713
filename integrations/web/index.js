// Mounts a game and answers questions about it. See README.md.
import { sizeOf } from "./cached.js";
import { QuakeError } from "./error.js";
import { start } from "./glue.js";
import { bytesOf, open, RangeSource, requestFailed, shownUrl } from "./sources.js";

export { QuakeError, RangeSource };

/** The bytes of sources that are kept between questions, and the most that one question may need. */
const KEPT = 32 << 20;
const MOST = 1 << 30;

/** The compiled modules by their addresses, each once. */
const modules = new Map();

function compiled(from) {
  if (typeof from !== "string" && !(from instanceof URL)) return compile(from);
  const address = String(from);
  if (!modules.has(address)) {
    const module = compile(address);
    module.catch(() => modules.delete(address));
    modules.set(address, module);
  }
  return modules.get(address);
}

/** Compiles the bytes of an address or a response; a module is compiled already. */
async function compile(from) {
  let data = await from;
  if (data instanceof WebAssembly.Module) return data;
  let [place, about] = [typeof data === "string" ? shownUrl(data) : "the given data", ""];
  // an import of a module of Node.js would stop bundlers for browsers
  const disk = place.startsWith("file:") && globalThis.process?.getBuiltinModule?.("node:fs/promises");
  try {
    if (disk) data = await disk.readFile(new URL(data));
    else if (typeof data === "string") data = await fetch(data);
    if (data instanceof Response) {
      [place, about] = [shownUrl(data.url || place), ` (${data.status}, ${data.headers.get("content-type")})`];
      data = await data.arrayBuffer();
    }
  } catch (cause) {
    throw requestFailed(String(data?.url ?? data), cause, { what: " cannot be loaded" });
  }
  const first = String.fromCharCode(...bytesOf(data).subarray(0, 16));
  if (first.startsWith("\0asm")) return WebAssembly.compile(data);
  throw new QuakeError({
    error: `${place} is not the module of quakefs: it starts with ${JSON.stringify(first)}${about}. Give the address of quakefs.wasm in the option \`module\``,
    help: 'see "Bundlers" in the README',
  });
}

/** The options that are lists. */
const LISTS = ["bases", "games", "missions", "base_games", "over", "mounts"];

function listOf(value, words) {
  if (typeof value === "object" && value?.[Symbol.iterator]) return [...value];
  throw new QuakeError({ error: `${words} is a list, not ${typeof value === "string" ? JSON.stringify(value) : `of type ${typeof value}`}`, help: typeof value === "string" ? `write ["${value}"]` : "" });
}

/** Mounts a game. */
export const mount = (options) => Quake.mount(options ?? {});

/** Refuses what is given for a signal and is none. */
function signalOf(signal) {
  if (signal == null || signal instanceof AbortSignal) return signal;
  throw new QuakeError({ error: "`signal` is an AbortSignal" });
}

const textOf = (value) => (value == null ? undefined : String(value));

class Quake {
  /**
   * What all views of a game share: the game in the module; its sources, and those that are in no layer; the questions without an answer, and
   * what the one that is tried now reads; what ends requests and questions.
   */
  #of = { game: undefined, sources: [], byPath: new Map(), skipped: [], questions: new Set(), reading: undefined, end: new AbortController() };
  /** Ends the questions of this view. */
  #signal;

  static async mount({ sources, module, signal, ...options }) {
    const quake = new Quake();
    const end = quake.#of.end.signal;
    try {
      signalOf(signal)?.throwIfAborted();
      signal?.addEventListener("abort", () => quake.#close(signal.reason), { once: true, signal: end });
      const opened = await until(end, open(sources, end));
      // bundlers look for exactly this expression
      const { Game } = await until(end, compiled(module ?? new URL("./quakefs.wasm", import.meta.url)).then(begun));
      quake.#of.game = new Game({ read: (source, offset, room) => quake.#read(source, offset, room) });
      quake.#of.sources = opened;
      quake.#of.byPath = new Map(opened.map((source) => [source.path, source]));
      return Object.assign(quake, await quake.#mount(options, sources.kind === "directory" && textOf(sources.name)));
    } catch (error) {
      const failure = end.aborted ? end.reason : QuakeError.of(error);
      quake.#close(failure);
      throw failure;
    }
  }

  /** Mounts the sources. A game is looked for from their folder, or else from their root. */
  async #mount(options, folder) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null));
    for (const key of LISTS) if (key in given) given[key] = listOf(given[key], `the option \`${key}\``);
    const files = this.#of.sources.map(({ path, size }) => [path, size]);
    const { layers, ...mounted } = await this.#ask((game) => game.mount(given, files, folder || "."));
    const names = new Set(layers.map(({ layer }) => layer));
    if (mounted.base == null) this.#of.skipped = [...this.#of.byPath.keys()].filter((path) => !names.has(path));
    return { ...mounted, layers: layers.map(({ known, ...layer }) => layer) };
  }

  #read(number, offset, room) {
    const source = this.#of.sources[number];
    const { windows, missing } = this.#of.reading;
    const count = source ? source.copy(offset, room, windows) : -1;
    if (count < 0 && source) missing.set(`${number} ${offset}`, [source, offset, room.length]);
    return count;
  }

  /** Asks once: returns what the answer is, as a function that returns or throws it, and the bytes that it lacks. */
  #try(question, windows = new Set()) {
    this.#of.end.signal.throwIfAborted();
    this.#of.reading = { windows, missing: new Map() };
    const answer = outcome(() => question(this.#of.game), (failure) => this.#close(failure));
    return [answer, [...this.#of.reading.missing.values()]];
  }

  /**
   * Asks until every byte that the answer needs is here. The module reads at once, but most sources answer later: an answer without some
   * bytes is thrown away, and asked again when they are here. Windows that a question read are kept until its answer.
   */
  async #ask(question, extent = null) {
    const windows = new Set();
    const end = this.#of.end.signal;
    const signal = this.#signal ? AbortSignal.any([this.#signal, end]) : end;
    this.#of.questions.add(windows);
    try {
      if (extent) await readAll(extent, windows, signal);
      for (;;) {
        signal.throwIfAborted();
        const [answer, missing] = this.#try(question, windows);
        if (!missing.length) return answer();
        limit(windows, missing);
        await until(signal, Promise.all(missing.map(([source, offset, length]) => source.need(offset, length, windows))));
      }
    } finally {
      this.#of.questions.delete(windows);
      this.#trim();
    }
  }

  /** Forgets the oldest windows beyond the limit that no question needs. */
  #trim() {
    let held = this.#of.sources.reduce((sum, source) => sum + source.held, 0);
    if (held <= KEPT) return;
    const needed = new Set([...this.#of.questions].flatMap((windows) => [...windows]));
    const unneeded = this.#of.sources.flatMap((source) => source.windows()).filter((window) => !needed.has(window));
    const gone = new Set();
    for (const window of unneeded.sort((a, b) => a.used - b.used)) {
      if (held <= KEPT) break;
      gone.add(window);
      held -= window.bytes.length;
    }
    for (const source of this.#of.sources) source.forget(gone);
  }

  /** An answer that needs no bytes of a source: everything about names is in memory. */
  #now(question) {
    const [answer, missing] = this.#try(question);
    if (missing.length) throw new Error(`this question needs bytes of ${missing[0][0].path}`);
    return answer();
  }

  find(name) { return this.#now((game) => game.find(String(name))); }

  copies(name) { return this.#now((game) => game.copies(String(name))); }

  files() { return this.#now((game) => game.files()); }

  glob(pattern) { return this.#now((game) => game.glob(String(pattern))); }

  /** The source with the plain bytes of a file, and their range; null if they are compressed. */
  async #extent(file) {
    const extent = await this.#ask((game) => game.extent(keyOf(file)));
    return extent && { ...extent, source: this.#of.byPath.get(extent.path) };
  }

  async read(file) {
    const extent = await this.#extent(file);
    return this.#ask((game) => game.read(keyOf(file)), extent);
  }

  async blob(file) {
    const extent = await this.#extent(file);
    const blob = extent?.source?.source.blob;
    return blob ? blob.slice(extent.start, extent.end) : new Blob([await this.read(file)]);
  }

  async findings() { return [...await this.#ask((game) => game.findings()), ...this.#of.skipped.map(skipped)]; }

  async check(options) { return [...await this.#ask((game) => game.check(Boolean(options?.all))), ...this.#of.skipped.map(skipped)]; }

  verdict() { return this.#ask((game) => game.verdict()); }

  path() { return this.#ask((game) => game.path()); }

  which(name) { return this.#ask((game) => game.which(String(name))); }

  overridden() { return this.#ask((game) => game.overridden()); }

  compare(engines) { return this.#ask((game) => game.compare(listOf(engines, "`compare`").map(String))); }

  companions(level) { return this.#ask((game) => game.companions(String(level))); }

  substitutes(kind, name, level) { return this.#ask((game) => game.substitutes(String(kind), String(name), textOf(level))); }

  needs(...levels) { return this.#ask((game) => game.needs(levels.map(String))); }

  unused() { return this.#ask((game) => game.unused()); }

  mods() { return this.#ask((game) => game.mods()); }

  place(file, name) { return this.#ask((game) => game.place(String(file), textOf(name))); }

  #content(kind, file) { return this.#ask((game) => game.content(kind, keyOf(file))); }

  model(file) { return this.#content("model", file); }

  level(file) { return this.#content("level", file); }

  // a key such as `__proto__` is one like others
  async entities(file) { return (await this.#content("entities", file)).map((entity) => Object.fromEntries(entity)); }

  sound(file) { return this.#content("sound", file); }

  pictures(file) { return this.#content("pictures", file); }

  async picture(file) { return (await this.pictures(file))[0] ?? null; }

  facts(file) { return this.#content("facts", file); }

  until(signal) {
    const view = Object.assign(new Quake(), this);
    [view.#of, view.#signal] = [this.#of, signalOf(signal)];
    return view;
  }

  close() { this.#close(new Error("this game was closed")); }

  #close(reason) {
    this.#of.end.abort(reason);
    for (const source of this.#of.sources) source.clear();
    Object.assign(this.#of, { game: undefined, sources: [], byPath: new Map() });
  }
}

/** Reads plain bytes at once, because the module reads a loose file in small parts. */
async function readAll({ source, start, end }, windows, signal) {
  if (!source || source.source.loadNow) return;
  limit(windows, [[source, start, end - start]]);
  for (let offset = start; offset < end;) offset = (await until(signal, source.need(offset, end - offset, windows))).end;
}

/** The result of some work, or the reason of a signal. What the work reads is kept for other questions. */
function until(signal, work) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Refuses a question that needs too many bytes, before it reads them. */
function limit(windows, missing) {
  const wanted = missing.reduce((sum, [, , length]) => sum + length, 0);
  if (sizeOf(windows) + wanted > MOST) throw new QuakeError({ error: `this answer needs more than ${MOST} bytes of the sources at once` });
}

// `using` and `await using` close a game, where the symbols exist
if (Symbol.dispose) Quake.prototype[Symbol.dispose] = Quake.prototype.close;
if (Symbol.asyncDispose) Quake.prototype[Symbol.asyncDispose] = async function () { this.close(); };

/** The fields by which the module finds a copy: a name is the winner. */
function keyOf(file) {
  if (typeof file === "string") return { name: file };
  if (typeof file?.name !== "string") throw new QuakeError({ error: `expected the name of a file or a file of this game, not of type ${typeof file}` });
  return { name: file.name, index: file.index, entry: file.entry };
}

/** The finding about a source that is in no layer, because the sources contain no game directory. */
const skipped = (path) => ({
  severity: "note", kind: "not-mounted", location: path, layer: path, entry: null, name: null, stops: false, advice: [],
  reason: "not mounted: the sources contain archives but no game directory", help: "put it into a game directory: give it a path such as id1/config.cfg",
});

/** Calls a question: returns a function that returns its answer or throws its failure. A fault of the module ends the game. */
function outcome(question, end) {
  try {
    const answer = question();
    return () => answer;
  } catch (failure) {
    // an argument that is none
    if (failure instanceof QuakeError || failure instanceof TypeError) throw QuakeError.of(failure);
    if (failure?.error != null) return () => { throw new QuakeError(failure); };
    const fault = new QuakeError({ error: `the module failed, which ends this game: ${failure?.message ?? failure}`, cause: failure });
    end(fault);
    throw fault;
  }
}

/** A new instance of the module. Each reserves room for its memory in the address space. */
async function begun(module) {
  try {
    return await start(module);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new QuakeError({ error: `no memory for another game: about a hundred can be mounted at once (${cause.message})`, help: "`close()` games that are no longer needed", cause });
  }
}
