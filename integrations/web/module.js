// The WebAssembly module of one mounted game, in two parts that share their memory. The second part is loaded when it is used.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A failure that quakefs explains. */
export class QuakeError extends Error {
  /** @param {{ error: string, help?: string, cause?: unknown, url?: string, status?: number }} failure */
  constructor({ error, help = "", cause, url, status }) {
    super(error, cause && { cause });
    this.name = "QuakeError";
    Object.assign(this, { help }, url && { url }, status && { status });
  }
}

/** The capital of a letter, if it is one character. */
function capital(letter) {
  const capital = letter.toUpperCase();
  return [...capital].length === 1 ? capital : letter;
}

export class Module {
  #core;
  #host;
  #second;
  #loadSecond;

  /**
   * Starts a compiled module. `read(source, offset, room)` writes bytes into `room` and returns how many, or -1. `loadSecond` returns a
   * promise of the compiled second part.
   */
  static async start(core, loadSecond, read) {
    const module = new Module();
    const rewrite = (address, length, by) => {
      const text = decoder.decode(module.view(address, length));
      return encoder.encodeInto(by(text), module.view(address, 3 * length)).written;
    };
    module.#host = {
      read: (source, offset, room, length) => read(source, offset, module.view(room, length)),
      decompose: (address, length) => rewrite(address, length, (text) => text.normalize("NFD")),
      capitals: (address, length) => rewrite(address, length, (text) => Array.from(text, capital).join("")),
    };
    module.#core = (await WebAssembly.instantiate(core, { host: module.#host })).exports;
    module.#loadSecond = loadSecond;
    return module;
  }

  /** A new view each time: a growing memory detaches earlier views. */
  view(address, length) {
    return new Uint8Array(this.#core.memory.buffer, address >>> 0, length >>> 0);
  }

  /** The bytes of memory that the module has. */
  get memory() {
    return this.#core.memory.buffer.byteLength;
  }

  /** Loads the second part, once. */
  async needSecond() {
    this.#second ??= this.#loadSecond().then((second) => WebAssembly.instantiate(second, { core: this.#core, host: this.#host }));
    try {
      return (await this.#second).exports;
    } catch (error) {
      this.#second = undefined;
      throw error;
    }
  }

  /** Answers a question with an export: `answer`, or one of the second part. The fields are names with a value or several. */
  ask(exported, question) {
    const pairs = Object.entries(question).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
    const parts = pairs.filter(([, value]) => value != null).flat();
    // a zero byte ends a value; in a name it is written like other bytes that are no text
    const bytes = encoder.encode(parts.map((part) => `${String(part).replaceAll("\0", "\\x00")}\0`).join(""));
    const room = this.#core.room(bytes.length);
    this.view(room, bytes.length).set(bytes);
    const length = exported();
    return JSON.parse(decoder.decode(this.view(this.#core.text(), length)));
  }

  /** A copy of the bytes beside the last answer. */
  bytes() {
    return this.view(this.#core.bytes(), this.#core.size()).slice();
  }

  /** The answer to a question of the first part. */
  answer(question) {
    return this.ask(this.#core.answer, question);
  }
}
