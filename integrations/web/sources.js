// What a game is mounted from: bytes, blobs, URLs and other sources that are read by position, behind a cache.
import { Cached, FIRST } from "./cached.js";
import { QuakeError } from "./error.js";

/** The most requests at a time. */
const PARALLEL = 6;

/** A URL that is read by position. What a mount learns about its file belongs to the mount. */
export class RangeSource {
  #fetch;
  #headers;

  /** @param {string | URL} url */
  constructor(url, { fetch = (...request) => globalThis.fetch(...request), headers = {} } = {}) {
    if (typeof fetch !== "function") throw new QuakeError({ error: "`fetch` is a function" });
    this.url = String(url);
    this.requests = 0;
    this.#fetch = fetch;
    this.#headers = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  }

  failed(cause) { return requestFailed(this.url, cause, { headers: this.#headers }); }

  request(headers, method, signal) {
    this.requests += 1;
    // compressed ranges have other offsets; a browser asks for none by itself
    return this.#fetch(this.url, { method, signal, headers: { "accept-encoding": "identity", ...this.#headers, ...headers } });
  }
}

/** An address as it is read; undefined if it cannot be. */
function parsed(url) {
  try {
    return new URL(url, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

/** An address for messages: without the query, in which tokens are, and without names and passwords. */
export function shownUrl(given) {
  const url = parsed(given);
  if (!url) return "an address that cannot be read";
  if (url.origin === "null" && url.protocol !== "file:") return url.protocol;
  Object.assign(url, { username: "", password: "", search: "", hash: "" });
  return url.href;
}

/** The failure of a request for an address, whose secrets the platform may repeat: then its reason is left out. */
export function requestFailed(given, cause, { headers = {}, what = "" } = {}) {
  const url = shownUrl(given);
  const reason = String(cause?.cause?.message ?? cause?.message ?? cause);
  const { username, password, search, hash } = parsed(given) ?? {};
  const secrets = [username, password, search, hash, given === url ? "" : given, ...Object.values(headers)];
  const tells = secrets.some((secret) => secret && `${reason} ${cause?.message}`.includes(secret));
  return new QuakeError({ error: `${url}${what}: ${tells ? "the request cannot be made" : reason}`, url, cause: tells ? undefined : cause });
}

/** The file at a URL as one mount found it. */
class RemoteFile {
  #from;
  #signal;
  #state = "";
  #running = 0;
  #waiting = [];

  constructor(from, signal) {
    this.#from = from;
    this.#signal = signal;
  }

  /** Learns the size with the first bytes, which it returns. */
  async open() {
    const response = await this.#request({ range: `bytes=0-${FIRST - 1}` });
    const total = response.headers.get("content-range")?.match(/\/(\d+)$/);
    const isEmpty = response.status === 416 ? (total ? Number(total[1]) : await this.#length()) === 0 : response.status === 200 && response.headers.get("content-length") === "0";
    if (isEmpty) {
      await response.body?.cancel();
      this.size = 0;
      return new Uint8Array();
    }
    await this.#expectRange(response);
    this.#state = stateOf(response);
    // a server of another origin may hide the header
    this.size = total ? Number(total[1]) : await this.#length();
    if (!isSize(this.size)) throw this.#error("the server tells a size that no file has", { response });
    return this.#bytes(response, Math.min(FIRST, this.size));
  }

  /** The bytes of a range. */
  async load(start, end) {
    const response = await this.#request({ range: `bytes=${start}-${end - 1}` });
    await this.#expectRange(response, start);
    if (stateOf(response) !== this.#state) {
      await response.body?.cancel();
      throw this.#error("the file changed since the mount: mount it again", { response });
    }
    return this.#bytes(response, end - start);
  }

  async #length() {
    const response = await this.#request({}, "HEAD");
    const length = response.headers.get("content-length");
    if (!response.ok || length == null) throw this.#error("the server does not tell the size of the file", { response });
    return Number(length);
  }

  async #expectRange(response, start = 0) {
    const range = response.headers.get("content-range");
    const first = range?.match(/^bytes (\d+)-\d+\/(?:\d+|\*)$/);
    const encoding = response.headers.get("content-encoding");
    const isPlain = !encoding || encoding === "identity";
    if (response.status === 206 && isPlain && (range == null || Number(first?.[1]) === start)) return;
    await response.body?.cancel();
    if (!isPlain) throw this.#error("the server compresses byte ranges: fetch the whole file and pass its bytes", { response });
    throw this.#error(response.status === 200 || response.status === 206
      ? "the server does not answer byte ranges: fetch the whole file and pass its bytes"
      : `the server answers ${response.status} ${response.statusText}`.trim(), { response });
  }

  /** The body, up to the length that was asked for: a server may send more without an end. */
  async #bytes(response, length) {
    const parts = [];
    let count = 0;
    const reader = response.body?.getReader();
    try {
      for (let part = await reader?.read(); part && !part.done && count <= length; part = await reader.read()) {
        parts.push(part.value);
        count += part.value.length;
      }
    } catch (cause) {
      throw this.#error("the answer ends before its last byte", { response, cause });
    } finally {
      reader?.cancel().catch(() => {});
    }
    if (count !== length) throw this.#error("the answer has another length than the requested range", { response });
    const bytes = new Uint8Array(length);
    parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
    return bytes;
  }

  async #request(headers, method = "GET") {
    if (this.#running >= PARALLEL) await new Promise((resolve) => { this.#waiting.push(resolve); });
    this.#running += 1;
    try {
      const response = await this.#from.request(headers, method, this.#signal);
      if (response?.headers) return response;
      throw new TypeError("`fetch` returned no response");
    } catch (cause) {
      throw this.#signal.aborted ? this.#signal.reason : this.#from.failed(cause);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #error(why, { response, cause }) {
    if (this.#signal.aborted) return this.#signal.reason;
    const url = shownUrl(this.#from.url);
    return new QuakeError({ error: `${url}: ${why}`, url, status: response?.status, cause });
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
    const why = `${this.#path} cannot be read: it was changed or removed`;
    let bytes;
    try {
      bytes = await this.blob.slice(start, end).arrayBuffer();
    } catch (cause) {
      throw new QuakeError({ error: why, cause });
    }
    if (bytes.byteLength !== end - start) throw new QuakeError({ error: why });
    return new Uint8Array(bytes);
  }
}

const isSize = (size) => Number.isSafeInteger(size) && size >= 0;

/** The caller's own `{ size, read(offset, length) }`. */
const ownSource = (path, size, own) => ({
  size,
  load: async (start, end) => {
    let bytes;
    try {
      bytes = await own.read(start, end - start);
    } catch (cause) {
      throw QuakeError.of(cause, `${path}: `);
    }
    // a source may read into one buffer again and again
    if (ArrayBuffer.isView(bytes) && bytes.byteLength === end - start) return bytesOf(bytes).slice();
    throw new QuakeError({ error: `${path}: \`read(${start}, ${end - start})\` returned ${bytes?.byteLength ?? "no"} bytes` });
  },
});

function bytesSource(path, data) {
  const gone = (cause) => new QuakeError({ error: `${path}: its bytes are gone. Do not transfer or resize a buffer that is mounted`, cause });
  try {
    const bytes = bytesOf(data);
    return { size: bytes.length, loadNow: (start, end) => bytes.slice(start, end), load: async () => { throw gone(); } };
  } catch (cause) {
    throw gone(cause);
  }
}

export const bytesOf = (data) => (ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data));

const isHandle = (item) => typeof item?.getFile === "function" || typeof item?.entries === "function" && typeof item?.kind === "string";

const isData = (item) => typeof item === "string" || [Blob, ArrayBuffer, URL, RangeSource, Promise].some((type) => item instanceof type) || ArrayBuffer.isView(item);

/** The files of a folder with their paths. */
async function* filesOf(handle, path) {
  if (handle.kind === "file") yield [path, await handle.getFile()];
  else for await (const [name, below] of handle.entries()) yield* filesOf(below, path ? `${path}/${name}` : name);
}

/** Paths and data, from each form that `sources` can have. */
async function* listed(sources) {
  if (isHandle(sources)) {
    yield* filesOf(sources, sources.name);
  } else if (!sources || typeof sources !== "object" || isData(sources)) {
    throw new QuakeError({ error: "sources are a directory handle, Files, or paths with their data" });
  } else if (sources[Symbol.iterator] ?? sources[Symbol.asyncIterator]) {
    for await (const item of sources) {
      if (Array.isArray(item)) yield* isHandle(item[1]) ? filesOf(item[1], item[0]) : [item];
      else if (isHandle(item)) yield* filesOf(item, item.name);
      else if (item instanceof Blob && typeof item.name === "string") yield [item.webkitRelativePath || item.name, item];
      else throw new QuakeError({ error: "a source is a File, a directory handle, or a path with its data" });
    }
  } else {
    for (const [path, data] of Object.entries(sources)) yield* isHandle(data) ? filesOf(data, path) : [[path, data]];
  }
}

/** A path without leading slashes and empty parts. */
function cleaned(path) {
  // two such paths would become one
  if (String(path).isWellFormed?.() === false) throw new QuakeError({ error: `${JSON.stringify(path)} is no text of whole letters` });
  const parts = String(path).split(/[\\/]/).filter((part) => part && part !== ".");
  if (!parts.length || parts.includes("..")) throw new QuakeError({ error: `"${path}" is not the path of a source, such as "id1/pak0.pak"` });
  return parts.join("/");
}

async function opened(path, data, signal) {
  if (data instanceof Blob && isSize(data.size)) return new Cached(path, new BlobSource(path, data));
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new Cached(path, bytesSource(path, data));
  if (typeof data?.read === "function") {
    const { size } = data;
    if (!isSize(size)) throw new QuakeError({ error: `${path}: its \`size\` is no number of bytes` });
    return new Cached(path, ownSource(path, size, data));
  }
  if (typeof data !== "string" && !(data instanceof URL) && !(data instanceof RangeSource)) {
    throw new QuakeError({ error: `${path}: its data is a File, a Uint8Array, a URL, a RangeSource or an object with \`size\` and \`read\`` });
  }
  const file = new RemoteFile(data instanceof RangeSource ? data : new RangeSource(data), signal);
  const first = await file.open();
  return new Cached(path, file, first);
}

/** Opens all sources, some at a time. */
export async function open(sources, signal) {
  const found = new Map();
  for await (const [given, data] of listed(sources)) {
    signal.throwIfAborted();
    const path = cleaned(given);
    if (found.has(path)) throw new QuakeError({ error: `two sources have the path ${path}` });
    found.set(path, data);
  }
  if (!found.size) throw new QuakeError({ error: "the sources contain no files" });
  const [paths, cached] = [[...found.keys()], new Array(found.size)];
  let next = 0;
  const work = async () => {
    while (next < paths.length) {
      signal.throwIfAborted();
      const index = next;
      next += 1;
      cached[index] = await opened(paths[index], found.get(paths[index]), signal);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return cached;
}
