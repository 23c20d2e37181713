// What a page does: gives the module the files of a folder, mounts them, and asks.
//
//   node host.mjs MODULE memory|position BASE answers CASE...
//   node host.mjs MODULE memory|position BASE read NAME CASE
//
// With `memory` the module has the bytes of every file, with `position` it asks for those that it needs.
// One object of JSON is printed.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

const [path, how, base, verb, ...rest] = process.argv.slice(2);
const files = [];
let count = 0;

const module = new WebAssembly.Module(readFileSync(path));
const { exports } = new WebAssembly.Instance(module, {
  host: {
    read(file, offset, room, length) {
      const read = readSync(files[file], memory(room, length), 0, length, Number(offset));
      count += read;
      return read;
    },
  },
});

// made anew each time: a memory that grows leaves earlier views without bytes
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
  const place = join(item.parentPath ?? item.path, item.name);
  const name = Buffer.from(place);
  size += statSync(place).size;
  let made;
  if (how === "memory") {
    put(name, readFileSync(place));
    made = exports.insert(name.length);
  } else {
    put(name);
    made = exports.insert_at(files.push(openSync(place)) - 1, BigInt(statSync(place).size));
  }
  if (!made) throw new Error(`not inserted: ${place}`);
}

function mount(asked) {
  put(Buffer.from(`${base}\n${asked}`));
  const failed = exports.mount();
  return failed ? text(failed) : undefined;
}

const said = { imports: WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`), size };
if (verb === "answers") {
  said.answers = rest.map((asked) => mount(asked) ?? text(exports.answers()));
} else {
  const [name, asked] = rest;
  said.failed = mount(asked);
  said.atMount = count;
  put(Buffer.from(name));
  const length = exports.read_file();
  said.length = length;
  said.sum = length < 0 ? 0 : memory(exports.address(), length).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 0);
  said.atRead = count - said.atMount;
}
files.forEach((file) => closeSync(file));
process.stdout.write(JSON.stringify(said));
