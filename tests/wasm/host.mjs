// The host, as a page would be: it gives the module the files of a folder, mounts them, and asks questions.
//
//   node host.mjs MODULE memory|position BASE answers CASE...
//   node host.mjs MODULE memory|position BASE read NAME CASE
//
// With `memory` the module gets the bytes of every file. With `position` it reads the ranges that it needs.
// Prints one JSON object.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

const [modulePath, how, base, verb, ...rest] = process.argv.slice(2);
const files = [];
let count = 0;

const module = new WebAssembly.Module(readFileSync(modulePath));
const { exports } = new WebAssembly.Instance(module, {
  host: {
    read(file, offset, room, length) {
      const read = readSync(files[file], memory(room, length), 0, length, Number(offset));
      count += read;
      return read;
    },
  },
});

// a new view each time: a growing memory detaches earlier views
function memory(address, length) {
  return new Uint8Array(exports.memory.buffer, address >>> 0, length);
}

function put(...parts) {
  const bytes = Buffer.concat(parts);
  memory(exports.buffer(bytes.length), bytes.length).set(bytes);
}

function text(length) {
  return Buffer.from(memory(exports.address(), length)).toString();
}

let size = 0;
for (const item of readdirSync(base, { recursive: true, withFileTypes: true })) {
  if (!item.isFile()) continue;
  const path = join(item.parentPath ?? item.path, item.name);
  const name = Buffer.from(path);
  size += statSync(path).size;
  let made;
  if (how === "memory") {
    put(name, readFileSync(path));
    made = exports.insert(name.length);
  } else {
    put(name);
    made = exports.insert_at(files.push(openSync(path)) - 1, BigInt(statSync(path).size));
  }
  if (!made) throw new Error(`not inserted: ${path}`);
}

function mount(query) {
  put(Buffer.from(`${base}\n${query}`));
  const failed = exports.mount();
  return failed ? text(failed) : undefined;
}

const answer = { imports: WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`), size };
if (verb === "answers") {
  answer.answers = rest.map((query) => mount(query) ?? text(exports.answers()));
} else {
  const [name, query] = rest;
  answer.failed = mount(query);
  answer.atMount = count;
  put(Buffer.from(name));
  const length = exports.read_file();
  answer.length = length;
  answer.sum = length < 0 ? 0 : memory(exports.address(), length).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 0);
  answer.atRead = count - answer.atMount;
}
files.forEach((file) => closeSync(file));
process.stdout.write(JSON.stringify(answer));
