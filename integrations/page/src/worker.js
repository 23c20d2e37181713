// The worker, a script of its own with the glue of the module and `cached.js` of the package `quakefs` before it: it runs the module beside the page. Each message gets one answer: { answer }, with a blob for the
// bytes of files, or { fault } if the module ended, after which the page starts another worker. { progress } may come before it.
/** The session in the module, the module's memory, and the dropped files behind their windows. */
let page;
let memory;
let files = [];
let byPath = new Map();
/** The bytes of files read for this message. */
let read = 0;

const reader = new FileReaderSync();
let told = 0;
function bytesOf(blob) {
  const bytes = new Uint8Array(reader.readAsArrayBuffer(blob));
  read += bytes.length;
  if (performance.now() - told > 500) {
    told = performance.now();
    postMessage({ progress: read });
  }
  return bytes;
}

const cached = (path, file, all = [], number = 0) => new Cached(path, {
  size: file.size,
  loadNow: (start, end) => (file.size > SMALL || number >= all.length ? bytesOf(file.slice(start, end)) : small(all, number).subarray(start, end)),
});

/** The largest file that is read together with the next ones: each read takes a millisecond, whatever its size. */
const SMALL = 1 << 12;
/** The most files of one read, and the most bytes that are kept. */
const TOGETHER = 200;
const KEPT_SMALL = 1 << 24;
let smalls = new Map();
let heldSmall = 0;

/** The bytes of a small file. */
function small(all, number) {
  if (!smalls.has(number)) {
    if (heldSmall > KEPT_SMALL) [smalls, heldSmall] = [new Map(), 0];
    const some = [];
    for (let at = number; at < all.length && some.length < TOGETHER; at += 1) if (all[at][1].size <= SMALL && !smalls.has(at)) some.push(at);
    let bytes;
    try {
      bytes = bytesOf(new Blob(some.map((at) => all[at][1])));
    } catch {
      // one of them was changed or removed
      some.length = 1;
      bytes = bytesOf(all[number][1]);
    }
    let start = 0;
    for (const at of some) smalls.set(at, bytes.subarray(start, start += all[at][1].size));
    heldSmall += bytes.length;
  }
  return smalls.get(number);
}

/** Starts the session. The module is compiled while it is decompressed. */
async function open(text) {
  const compressed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
  const module = await start(await WebAssembly.compileStreaming(response));
  memory = module.memory;
  page = new module.Page({ read: (file, offset, room) => files[file]?.copy(offset, room) ?? -1 });
}

/** The answer to `{ kind: fields }`, and the bytes beside it. */
function ask(question) {
  const answer = JSON.parse(page.answer(JSON.stringify(question)));
  return { answer, blob: answer?.error ? null : new Blob([page.bytes()]) };
}

/** The answer about a file that is not mounted, which the module reads as the one behind the dropped files, and perhaps bytes. */
function apart({ kind, file, ...fields }) {
  const number = files.push(cached("", file)) - 1;
  try {
    return ask({ [kind]: { ...fields, file: number, size: file.size } });
  } finally {
    files.pop();
  }
}

/** The bytes of a copy. If they are stored uncompressed, they are a slice of a dropped file. */
function source(copy) {
  const found = ask({ source: copy });
  const { answer } = found;
  const { stretch } = answer;
  if (!stretch) return found;
  const blob = byPath.get(stretch.path).slice(stretch.start, stretch.end);
  // a download of a changed file ends without an error, so one byte is read first
  try {
    bytesOf(blob.slice(0, 1));
  } catch {
    return { answer: { error: `${stretch.path} cannot be read: it was changed or removed after the drop. Drop it again.` } };
  }
  return { answer, blob };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32; `null` if the file was changed or removed. */
function checksum(blob) {
  let sum = -1;
  try {
    for (let at = 0; at < blob.size; at += LARGEST) {
      for (const byte of bytesOf(blob.slice(at, at + LARGEST))) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
    }
  } catch {
    return null;
  }
  return ~sum >>> 0;
}

/** The limits of a ZIP without ZIP64. */
const ZIP_FILES = 0xffff;
const ZIP_BYTES = 0xffff_0000;

/** Copies as a ZIP with stored entries. Its parts are slices of the dropped files, which are not read into memory. */
function zip(copies) {
  const [parts, rows, left] = [[], [], []];
  let offset = 0;
  for (const [index, copy] of copies.entries()) {
    if (index % 100 === 99) postMessage({ progress: `${index + 1} of ${copies.length} files` });
    const { answer, blob } = source(copy);
    const sum = blob && answer.path != null ? checksum(blob) : null;
    if (sum == null) {
      left.push(copy.name);
      continue;
    }
    const name = new TextEncoder().encode(answer.path);
    const fields = entryFields(name, blob, sum);
    parts.push(Uint8Array.of(0x50, 0x4b, 3, 4), fields, name, blob);
    rows.push(directoryRow(fields, name, offset));
    offset += 30 + name.length + blob.size;
  }
  if (offset > ZIP_BYTES || rows.length > ZIP_FILES) return { answer: { error: "The page can save at most 65535 files and 4 GiB in one ZIP: narrow the files by a search." } };
  const directory = new Blob(rows);
  const blob = new Blob([...parts, directory, directoryEnd(rows.length, directory.size, offset)], { type: "application/zip" });
  return { answer: { count: rows.length, left }, blob };
}

/** The fields that a local header and a directory row share: version 2.0, UTF-8 names, stored, 1980-01-01. */
function entryFields(name, blob, sum) {
  const fields = new DataView(new ArrayBuffer(26));
  for (const [at, value] of [[0, 20], [2, 0x800], [8, 0x21], [22, name.length]]) fields.setUint16(at, value, true);
  for (const [at, value] of [[10, sum], [14, blob.size], [18, blob.size]]) fields.setUint32(at, value, true);
  return fields.buffer;
}

function directoryRow(fields, name, offset) {
  const rest = new DataView(new ArrayBuffer(14));
  rest.setUint32(10, offset, true);
  return new Blob([Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), fields, rest.buffer, name]);
}

function directoryEnd(count, size, offset) {
  const end = new DataView(new ArrayBuffer(22));
  for (const [at, value] of [[0, 0x06054b50], [12, size], [16, offset]]) end.setUint32(at, value, true);
  for (const at of [8, 10]) end.setUint16(at, count, true);
  return end.buffer;
}

function answer(message) {
  if (message.source) return source(message.source);
  if (message.apart) return apart(message.apart);
  if (message.zip) return zip(message.zip);
  if (!message.files) return ask(message.question);
  [smalls, heldSmall] = [new Map(), 0];
  files = message.files.map(([path, file], number, all) => cached(path, file, all, number));
  byPath = new Map(message.files.map(([path, file]) => [path, file]));
  return ask({ drop: { files: message.files.map(([path, file, drop]) => [path, file.size, drop]) } });
}

let begin;
/** Messages wait for the module, which comes later. */
const started = new Promise((resolve) => { begin = resolve; });
started.catch(() => {});
onmessage = async ({ data }) => {
  if (data.module) {
    begin(open(data.module));
    return;
  }
  try {
    await started;
    read = 0;
    told = performance.now();
    postMessage({ ...answer(data), read, memory: memory.buffer.byteLength });
  } catch (error) {
    // the place in the module: a trap has no other
    const [place] = error.stack.match(/wasm-function\[\d+\](:0x[0-9a-f]+)?/) ?? [];
    postMessage({ fault: place ? `A fault of quakefs ended this answer. Please report it: ${error.message}, at ${place}.` : `This answer ended: ${error.message}.` });
  }
};
