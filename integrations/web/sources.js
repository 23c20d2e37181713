// What a game is mounted from: bytes, blobs and URLs that are read by position, behind a cache.
import { Cached, FIRST } from "./cached.js";

/** The most requests at a time. */
const PARALLEL = 6;

/** Reads a URL by position. */
export class RangeSource {
  #fetch;
  #headers;
  #state = "";
  #running = 0;
  #waiting = [];

  /** @param {string | URL} url */
  constructor(url, { fetch = (...request) => globalThis.fetch(...request), headers = {} } = {}) {
    this.url = String(url);
    this.size = undefined;
    this.requests = 0;
    this.#fetch = fetch;
    this.#headers = headers;
  }

  /** Learns the size with the first bytes, which it returns. */
  async open() {
    const response = await this.#request({ range: `bytes=0-${FIRST - 1}` });
    const total = response.headers.get("content-range")?.match(/\/(\d+)$/);
    if (response.status === 416 && (!total || total[1] === "0")) {
      this.size = 0;
      return new Uint8Array();
    }
    await this.#expectRange(response);
    this.#state = stateOf(response);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // a server of another origin may hide the header
    this.size = total ? Number(total[1]) : await this.#length();
    if (bytes.length !== Math.min(FIRST, this.size)) throw this.#error("the answer has another length than the requested range");
    return bytes;
  }

  /** The bytes of a range. */
  async load(start, end) {
    const response = await this.#request({ range: `bytes=${start}-${end - 1}` });
    await this.#expectRange(response, start);
    if (stateOf(response) !== this.#state) throw this.#error("the file changed since the mount: mount it again");
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length !== end - start) throw this.#error("the answer has another length than the requested range");
    return bytes;
  }

  async #length() {
    const response = await this.#request({}, "HEAD");
    const length = response.headers.get("content-length");
    if (!response.ok || length == null) throw this.#error("the server does not tell the size of the file");
    return Number(length);
  }

  async #expectRange(response, start = 0) {
    const first = response.headers.get("content-range")?.match(/^bytes (\d+)-/);
    if (response.status === 206 && (!first || Number(first[1]) === start)) return;
    await response.body?.cancel();
    throw this.#error(response.status === 200 || response.status === 206
      ? "the server does not answer byte ranges: fetch the whole file and pass its bytes"
      : `the server answers ${response.status} ${response.statusText}`.trim());
  }

  async #request(headers, method = "GET") {
    if (this.#running >= PARALLEL) await new Promise((resolve) => { this.#waiting.push(resolve); });
    this.#running += 1;
    this.requests += 1;
    try {
      // compressed ranges have other offsets; a browser asks for none by itself
      return await this.#fetch(this.url, { method, headers: { "accept-encoding": "identity", ...this.#headers, ...headers } });
    } catch (error) {
      throw this.#error(error.cause?.message ?? error.message);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #error(why) {
    return new Error(`${this.url}: ${why}`);
  }
}

/** What changes with the file on the server. */
const stateOf = ({ headers }) => `${headers.get("etag")} ${headers.get("last-modified")} ${headers.get("content-range")?.split("/")[1]}`;

/** A `Blob` or `File`. A worker reads it at once. */
class BlobSource {
  #path;

  constructor(path, blob) {
    this.#path = path;
    this.blob = blob;
    this.size = blob.size;
    if (typeof FileReaderSync === "function") {
      const reader = new FileReaderSync();
      this.loadNow = (start, end) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(start, end)));
    }
  }

  async load(start, end) {
    try {
      const bytes = new Uint8Array(await this.blob.slice(start, end).arrayBuffer());
      if (bytes.length === end - start) return bytes;
    } catch {
      // the sentence below tells more than the browser
    }
    throw new Error(`${this.#path} cannot be read: it was changed or removed`);
  }
}

const isHandle = (item) => typeof item?.getFile === "function" || typeof item?.entries === "function" && typeof item?.kind === "string";

/** The files of a folder with their paths. */
async function* filesOf(handle, path) {
  if (handle.kind === "file") yield [path, await handle.getFile()];
  else for await (const [name, below] of handle.entries()) yield* filesOf(below, path ? `${path}/${name}` : name);
}

/** Paths and data, from each form that `sources` can have. */
async function* listed(sources) {
  if (isHandle(sources)) {
    yield* filesOf(sources, sources.kind === "file" ? sources.name : "");
  } else if (typeof sources?.[Symbol.iterator] === "function" && typeof sources !== "string" && !ArrayBuffer.isView(sources)) {
    for (const item of sources) {
      if (Array.isArray(item)) yield* isHandle(item[1]) ? filesOf(item[1], item[0]) : [item];
      else if (isHandle(item)) yield* filesOf(item, item.name);
      else if (item instanceof Blob && typeof item.name === "string") yield [item.webkitRelativePath || item.name, item];
      else throw new TypeError("a source is a File, a directory handle, or a path with its data");
    }
  } else if (sources && typeof sources === "object" && !ArrayBuffer.isView(sources) && !(sources instanceof Blob)) {
    for (const [path, data] of Object.entries(sources)) yield* isHandle(data) ? filesOf(data, path) : [[path, data]];
  } else {
    throw new TypeError("sources are a directory handle, Files, or paths with their data");
  }
}

async function opened(path, data) {
  if (data instanceof Blob) return new Cached(path, new BlobSource(path, data));
  if (data instanceof ArrayBuffer) return opened(path, new Uint8Array(data));
  if (ArrayBuffer.isView(data)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return new Cached(path, { size: bytes.length, bytes }, bytes);
  }
  if (typeof data === "string" || data instanceof URL) return opened(path, new RangeSource(data));
  if (data instanceof RangeSource) return new Cached(path, data, await data.open());
  throw new TypeError(`${path}: its data is a File, a Uint8Array, a URL or a RangeSource`);
}

/** Opens all sources, some at a time. */
export async function open(sources) {
  const found = [];
  for await (const item of listed(sources)) found.push(item);
  const cached = new Array(found.length);
  let next = 0;
  const work = async () => {
    while (next < found.length) {
      const index = next;
      next += 1;
      const [path, data] = found[index];
      cached[index] = await opened(path.replace(/^\/+/, ""), data);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return cached;
}
