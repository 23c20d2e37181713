// The package in Node.js: `QUAKEFS_WEB=FOLDER node --test tests`, with the folder that `.ci/web` made.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { openAsBlob } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect, promisify } from "node:util";
import { createGzip } from "node:zlib";
import { serve } from "./server.js";

const ofPackage = (file) => import(pathToFileURL(join(resolve(process.env.QUAKEFS_WEB), file)));
const { mount, QuakeError, RangeSource } = await ofPackage("index.js");
const { Cached } = await ofPackage("cached.js");
const testdata = new URL("../../../testdata/", import.meta.url).pathname;
const librequake = join(process.env.QUAKEFS_DATA ?? "", "paks/librequake");
const isThere = await readdir(librequake).then(() => true, () => false);

/** A test with a server of a folder. */
const served = (work, options, folder = testdata) => async (context) => {
  const server = await serve(folder, options);
  try {
    await work(server, context);
  } finally {
    server.close();
  }
};

/** The files of a folder as sources. */
async function folder(base, data) {
  const items = await readdir(base, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile()).map((item) => join(item.parentPath ?? item.path, item.name));
  return Promise.all(files.map(async (file) => [relative(base, file).replaceAll("\\", "/"), await data(file)]));
}

/** A PACK with these files, as an object or as pairs. `claimed` has sizes that the rows claim instead of the true ones. */
function pack(files, claimed = []) {
  const pairs = Array.isArray(files) ? files : Object.entries(files);
  const entries = pairs.map(([name, text]) => [name, Buffer.from(text)]);
  const payload = Buffer.concat(entries.map(([, bytes]) => bytes));
  const header = Buffer.alloc(12);
  header.write("PACK");
  header.writeUInt32LE(12 + payload.length, 4);
  header.writeUInt32LE(64 * entries.length, 8);
  let offset = 12;
  const rows = entries.map(([name, bytes], index) => {
    const row = Buffer.alloc(64);
    row.write(name);
    row.writeUInt32LE(offset, 56);
    row.writeUInt32LE(claimed[index] ?? bytes.length, 60);
    offset += bytes.length;
    return row;
  });
  return new Uint8Array(Buffer.concat([header, payload, ...rows]));
}

/** A ZIP with these files, stored. */
function zip(files) {
  const [parts, rows] = [[], []];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), fields, name, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    rows.push(Buffer.from("PK\x01\x02\x14\x00"), fields, rest, name);
    offset += 30 + name.length + bytes.length;
  }
  const directory = Buffer.concat(rows);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(parts.length / 4, 8);
  end.writeUInt16LE(parts.length / 4, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

test("blobs, bytes and URLs give the same answers", served(async (server) => {
  const base = join(testdata, "game");
  const answers = [];
  for (const data of [openAsBlob, readFile, async (file) => `${server.url}/${relative(testdata, file)}`]) {
    const quake = await mount({ sources: await folder(base, data), engine: "quakespasm", games: ["mymod"] });
    const files = quake.files();
    const contents = await Promise.all(files.map(async (file) => [...await quake.read(file)]));
    const explained = await Promise.all(files.map((file) => quake.which(file.name)));
    const [level] = quake.glob("maps/*.bsp");
    answers.push({
      layers: quake.layers, files, contents, explained, path: await quake.path(), found: await quake.check({ all: true }), early: await quake.findings(), overridden: await quake.overridden(),
      needs: await quake.needs(), needed: await quake.needs(level.name), companions: await quake.companions(level.name), mods: await quake.mods(), compared: await quake.compare(["quakespasm", "fte@windows"]),
    });
  }
  assert.equal(answers[0].layers[0].layer, "mymod/pak1.pak");
  assert.ok(answers[0].files.length > 3 && answers[0].found.length > 0);
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
}));

test("several mounts at once have their own files", async () => {
  const game = (text) => mount({ sources: { "id1/pak0.pak": pack({ "autoexec.cfg": text }) } });
  const [one, two] = await Promise.all([game("one"), game("two")]);
  assert.equal(String(Buffer.from(await one.read("autoexec.cfg"))), "one");
  assert.equal(String(Buffer.from(await two.read("autoexec.cfg"))), "two");
});

test("the base directory is found in folders, and archives alone are mounted on top of each other", async () => {
  const low = pack({ "a.cfg": "low", "b.cfg": "b" });
  const quake = await mount({ sources: { "Games/Quake/id1/pak0.pak": low, "Games/Quake/mod/a.cfg": Buffer.from("high") }, games: ["mod"] });
  assert.deepEqual([quake.base, quake.engine, quake.notes.map((note) => note.reason)], ["Games/Quake", "quakespasm", ["the base directory is Games/Quake"]]);
  assert.deepEqual(quake.copies("a.cfg").map((copy) => copy.layer), ["mod/", "id1/pak0.pak"]);
  const alone = await mount({ sources: { "one.pak": low, "two.pak": pack({ "a.cfg": "two" }) } });
  assert.equal(alone.base, null);
  assert.equal(String(Buffer.from(await alone.read("a.cfg"))), "two");
});

test("a folder gives the same engine and base as in every tongue", async () => {
  const content = { pak: pack({ "default.cfg": "bind" }), pk3: zip({ "default.cfg": "bind" }) };
  for (const row of JSON.parse(await readFile(join(testdata, "choices.json"), "utf8"))) {
    const sources = row.files.map((path) => [path, content[path.split(".").at(-1).toLowerCase()] ?? Buffer.from("content")]);
    const mounting = mount({ sources, on: row.on });
    if (row.refused) {
      await assert.rejects(mounting, { name: "QuakeError" }, row.folder);
      continue;
    }
    const quake = await mounting;
    const { chosen: { engine, because, base } } = await quake.path();
    assert.deepEqual({ engine, because, base }, { engine: row.engine, because: row.because, base: row.base }, row.folder);
    assert.equal((await quake.verdict()).verdict, row.verdict, row.folder);
  }
});

test("every door treats hostile names alike: testdata/hostile.json", async () => {
  const rows = JSON.parse(await readFile(join(testdata, "hostile.json"), "utf8"));
  const archive = pack(rows.map(({ entry, text = "" }) => [entry, text]), rows.map(({ size }) => size));
  const quake = await mount({ sources: { "id1/pak0.pak": archive }, engine: "darkplaces", on: "linux" });
  assert.deepEqual(new Set(quake.files().map(({ name }) => name)), new Set(rows.filter((row) => row.asked).map((row) => row.entry)));
  for (const { entry, text, asked } of rows) {
    assert.equal(quake.find(entry) !== null, asked, entry);
    if (asked && text !== undefined) assert.equal(new TextDecoder().decode(await quake.read(entry)), text);
    else await assert.rejects(quake.read(entry), (error) => error instanceof QuakeError && !/\p{Cc}/u.test(error.message.replaceAll("\n", "")), entry);
  }
});

test("options name the base directory, the engine and folders that replace the base game", async () => {
  const low = pack({ "a.cfg": "a" });
  const quake = await mount({ sources: { "a/id1/pak0.pak": low, "b/id1/pak0.pak": low }, bases: ["b"], engine: "FTE" });
  assert.deepEqual([quake.base, quake.engine], ["b", "fte"]);
  const free = await mount({ sources: { "id1/pak0.pak": low, "free/a.cfg": Buffer.from("free") }, base_games: ["free"], engine: "vkquake" });
  assert.equal(free.find("a.cfg").layer, "free/");
});

test("a download among the sources has its place, its effects, and can be laid over the game", async () => {
  const sources = { "id1/pak0.pak": pack({ "progs.dat": "p", "maps/mine.bsp": "\x1d\0\0\0old" }), "down/mine.bsp": Buffer.from("\x1d\0\0\0new") };
  const quake = await mount({ sources });
  const { place } = await quake.place("down/mine.bsp");
  assert.deepEqual([place.parts.map((part) => part.to), place.nothing], [["id1/maps/"], null]);
  const named = await quake.place("down/mine.bsp", "mymod");
  assert.deepEqual([named.place.parts.map((part) => part.to), named.effects.overridden], [["mymod/maps/"], { "id1/pak0.pak": 1 }]);
  const over = await mount({ sources, over: [{ file: "down/mine.bsp", name: "mymod" }], games: ["mymod"] });
  assert.equal(over.find("maps/mine.bsp").layer, "mymod/");
  assert.equal(await (await over.blob("maps/mine.bsp")).text(), "\x1d\0\0\0new");
  assert.equal(over.notes.length, 1);
});

test("check joins alike findings unless all are wanted", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "maps/A.bsp": "a", "maps/B.bsp": "b" }) }, on: "linux" });
  const [few, all] = [await quake.check(), await quake.check({ all: true })];
  assert.ok(few.length < all.length, `${few.length} of ${all.length}`);
  assert.deepEqual(Object.keys(few[0]), ["severity", "kind", "location", "layer", "entry", "name", "reason", "help", "stops", "advice"]);
});

test("unused files need a program, and substitutes need an engine that has some", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "textures/a.tga": "t" }) }, engine: "darkplaces" });
  await assert.rejects(quake.unused(), { name: "QuakeError", message: /^the unused files are unknown: / });
  const [row] = await quake.substitutes("texture", "a");
  assert.deepEqual([row.loaded.name, row.kind], ["textures/a.tga", "texture"]);
});

test("a known archive is read in few requests", async () => {
  // the size and the number of entries of id's own archive
  const source = large(339, 55_000);
  Object.assign(source, { size: 18689235 });
  const quake = await mount({ sources: { "id1/pak0.pak": source } });
  const { read } = source;
  let count = 0;
  source.read = (...range) => { count += 1; return read(...range); };
  const [layer] = (await quake.path()).layers;
  assert.deepEqual([layer.layer, layer.known], ["id1/pak0.pak", null]);
  assert.ok(count < 14, `${count} requests`);
});

test("names compare as on the chosen system", async () => {
  const sources = { "id1/PAK0.PAK": pack({ "a.cfg": "a" }) };
  const on = async (on) => (await mount({ sources, on })).find("a.cfg")?.layer ?? null;
  assert.deepEqual([await on("linux"), await on("windows")], [null, "id1/PAK0.PAK"]);
});

test("failures are errors with an advice, and never empty answers", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  await assert.rejects(quake.read("missing.cfg"), { name: "QuakeError", message: "missing.cfg: not found" });
  assert.throws(() => quake.glob("["), (error) => error instanceof QuakeError && error.help !== "");
  assert.equal(quake.find("a\0.cfg"), null);
  const missing = await quake.which("A.CFG\\");
  assert.deepEqual([missing.layer, missing.found], [undefined, false]);
  await assert.rejects(quake.compare(["doom"]), { name: "QuakeError", message: /^no engine is called "doom"/ });
  await assert.rejects(quake.substitutes("door", "a"), { name: "QuakeError", message: /^nothing is called "door": expected texture, / });
  await assert.rejects(quake.place("none.zip"), { name: "QuakeError", message: /^none\.zip: / });
  await assert.rejects(mount({ sources: { a: new Uint8Array() }, game: "mymod" }), { name: "QuakeError", message: /^unknown field `game`, expected one of `bases`, `engine`/ });
  await assert.rejects(mount({ sources: { a: new Uint8Array() }, engine: "doom" }), { message: /^no engine is called "doom"/ });
  await assert.rejects(mount({ sources: { a: new Uint8Array() }, on: "amiga" }), { name: "QuakeError", message: 'no system is called "amiga": expected linux, macos or windows' });
  await assert.rejects(mount({ sources: { a: new Uint8Array() }, games: "pd" }), { name: "QuakeError", message: 'the option `games` is a list, not "pd"', help: 'write ["pd"]' });
  await assert.rejects(quake.compare("fte"), { name: "QuakeError", message: '`compare` is a list, not "fte"' });
  await assert.rejects(mount({ sources: { a: 1 } }), QuakeError);
  await assert.rejects(mount({ sources: Promise.resolve({}) }), QuakeError);
  await assert.rejects(mount({ sources: {} }), { message: "the sources contain no files" });
  await assert.rejects(mount({ sources: { "../a": new Uint8Array() } }), { message: /^"\.\.\/a" is not the path of a source/ });
  await assert.rejects(mount({ sources: [["a", new Uint8Array()], ["./a", new Uint8Array()]] }), { message: "two sources have the path a" });
  await assert.rejects(async () => mount(), { message: /^sources are a directory handle/ });
  await assert.rejects(mount({ sources: [["a", new Uint8Array()], ["a/b", new Uint8Array()]] }), { message: /^a\/b: / });
});

test("a blob of a stored file is a slice of its source", async () => {
  const bytes = pack({ "a.cfg": "stored" });
  const file = new File([bytes], "pak0.pak");
  const quake = await mount({ sources: { "id1/pak0.pak": file } });
  const read = [];
  const slice = file.slice.bind(file);
  file.slice = (...range) => { read.push(range); return slice(...range); };
  const blob = await quake.blob("a.cfg");
  assert.equal(await blob.text(), "stored");
  assert.deepEqual(read, [[12, 18]]);
});

test("a worker's reader that fails costs no answer", async () => {
  globalThis.FileReaderSync = class {
    readAsArrayBuffer() { throw new DOMException("not now", "NotReadableError"); }
  };
  try {
    const quake = await mount({ sources: { "id1/pak0.pak": new File([pack({ "a.cfg": "stored" })], "pak0.pak") } });
    assert.equal(Buffer.from(await quake.read("a.cfg")).toString(), "stored");
  } finally {
    delete globalThis.FileReaderSync;
  }
});

test("of a source that can be read again at once few bytes are kept", () => {
  const size = 1 << 28;
  const source = new Cached("a.pak", { size, loadNow: (start, end) => new Uint8Array(end - start).fill(start >> 20) });
  for (const step of [1 << 14, 1 << 22]) {
    const room = new Uint8Array(step);
    for (let offset = 0; offset < size; offset += source.copy(offset, room)) assert.ok(source.windows().length <= 8);
  }
  const held = source.windows().reduce((sum, { bytes }) => sum + bytes.length, 0);
  assert.ok(held <= 8 << 20, `${held} bytes`);
});

test("a file that changed after the mount is an error", served(async (server) => {
  const archive = pack({ "a.cfg": "a".repeat(50_000) });
  server.files.set("/pak0.pak", archive);
  const quake = await mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } });
  server.files.set("/pak0.pak", Buffer.from(archive));
  await assert.rejects(quake.read("a.cfg"), { message: /the file changed since the mount: mount it again$/ });
}));

test("a server without byte ranges is refused with a reason", served(async (server) => {
  server.files.set("/pak0.pak", pack({ "a.cfg": "a" }));
  const sources = (name) => ({ "id1/pak0.pak": `${server.url}/${name}` });
  await assert.rejects(mount({ sources: sources("pak0.pak") }), { message: /the server does not answer byte ranges: fetch the whole file/ });
  await assert.rejects(mount({ sources: sources("none.pak") }), { message: /the server answers 404/ });
  server.close();
  await assert.rejects(mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } }), { message: /^http:\/\/127\.0\.0\.1:\d+\/pak0\.pak: / });
}, { ranges: false }));

test("a server of another origin that hides the range tells the size by HEAD", served(async (server) => {
  server.files.set("/pak0.pak", pack({ "a.cfg": "a".repeat(5000) }));
  const source = new RangeSource(`${server.url}/pak0.pak`);
  const quake = await mount({ sources: { "id1/pak0.pak": source } });
  assert.equal((await quake.read("a.cfg")).length, 5000);
  assert.ok(server.requests.some(({ method }) => method === "HEAD"));
}, { hides: true }));

test("a failure of the network has its cause, its status and its address", served(async (server) => {
  const url = `${server.url}/pak0.pak`;
  await assert.rejects(mount({ sources: { "id1/pak0.pak": url } }), { name: "QuakeError", url, status: 404 });
  server.files.set("/pak0.pak", Buffer.alloc(0));
  server.cut = async (response) => { response.writeHead(200, { "content-length": 0 }).end(); };
  assert.equal((await mount({ sources: { "id1/a.cfg": url } })).find("a.cfg").size, 0);
  server.cut = async (response) => { response.writeHead(206, { "content-length": 1024, "content-range": "bytes 0-1023/5000" }).write("a", () => response.destroy()); };
  const isCut = ({ message, cause, status }) => message === `${url}: the answer ends before its last byte` && cause instanceof TypeError && status === 206;
  await assert.rejects(mount({ sources: { "id1/pak0.pak": url } }), isCut);
  server.close();
  await assert.rejects(mount({ sources: { "id1/pak0.pak": url } }), (error) => error.url === url && error.status === undefined && error.cause instanceof TypeError);
}));

test("an answer of another range is refused", served(async (server) => {
  const url = `${server.url}/pak0.pak`;
  server.files.set("/pak0.pak", Buffer.alloc(5000));
  for (const range of ["frogs 0-1023/5000", "bytes -5-1/5000", "bytes 5-1028/5000", `bytes 0-1023/${2n ** 64n}`]) {
    server.cut = async (response) => { response.writeHead(206, { "content-range": range }).end(Buffer.alloc(1024)); };
    await assert.rejects(mount({ sources: { "id1/pak0.pak": url } }), { name: "QuakeError", url });
  }
  server.cut = async (response, request) => { response.writeHead(416, request?.method === "HEAD" ? { "content-length": 5000 } : {}).end(); };
  await assert.rejects(mount({ sources: { "id1/a.cfg": url } }), { name: "QuakeError", url });
}));

test("what has a wrong type is refused by name, and the game goes on", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  for (const value of [5, true, {}, { length: -1 }, ["a"], () => {}, 5n]) {
    await quake.place("id1/pak0.pak", value).catch((error) => assert.ok(error instanceof QuakeError, inspect(error)));
    await quake.substitutes("texture", "a", value).catch((error) => assert.ok(error instanceof QuakeError, inspect(error)));
    await assert.rejects(quake.read({ name: "a.cfg", index: value }), QuakeError);
    await assert.rejects(mount({ sources: { a: { size: value, read() {} } } }), QuakeError);
    await assert.rejects(mount({ sources: { a: new Uint8Array() }, signal: value }), QuakeError);
  }
  await assert.rejects(quake.read(Symbol("a")), QuakeError);
  assert.equal((await quake.read("a.cfg")).length, 1);
});

test("a size beyond all numbers costs no other file", async () => {
  const largest = await readFile(join(testdata, "zip/malformed/zip64-sizes-largest.pk3"));
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }), "id1/pak1.pk3": largest }, engine: "fte" });
  assert.equal(quake.find("a.cfg").size, 1);
  assert.ok(quake.files().some(({ size }) => size > Number.MAX_SAFE_INTEGER));
});

test("a question that waits ends with its game", async () => {
  const archive = pack({ "a.cfg": "a".repeat(50_000) });
  let waits = false;
  const source = { size: archive.length, read: (offset, length) => (waits ? new Promise(() => {}) : archive.subarray(offset, offset + length)) };
  const quake = await mount({ sources: { "id1/pak0.pak": source } });
  waits = true;
  const read = quake.read("a.cfg");
  quake.close();
  await assert.rejects(read, { message: "this game was closed" });
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("too late")), 20);
  await assert.rejects(mount({ sources: { "id1/pak0.pak": source }, signal: abort.signal }), { message: "too late" });
});

test("no message steers a terminal", async () => {
  const sources = { "id1/pak0.pak": pack({ "a.cfg": "a" }) };
  const quake = await mount({ sources });
  const steering = "\x1b[31m\u009b\u202e";
  const failures = [mount({ sources, engine: steering }), mount({ sources, [steering]: 1 }), quake.compare([steering]), quake.place(steering), quake.needs(steering)];
  for (const { reason: error } of await Promise.allSettled(failures)) {
    assert.ok(error instanceof QuakeError, inspect(error));
    assert.doesNotMatch(`${error.message} ${error.help}`, /[\p{Cc}\p{Bidi_Control}]/u);
  }
});

test("two paths never become one, and a source may use one buffer", async () => {
  await assert.rejects(mount({ sources: { "id1/\ud800.cfg": Buffer.from("a") } }), QuakeError);
  const [archive, buffer] = [pack({ "a.cfg": "abc" }), new Uint8Array(1 << 20)];
  const read = (offset, length) => (buffer.set(archive.subarray(offset, offset + length)), buffer.subarray(0, length));
  const quake = await mount({ sources: { "id1/pak0.pak": { size: archive.length, read } } });
  assert.equal(Buffer.from(await quake.read("a.cfg")).toString(), "abc");
});

/** A body of zeros without an end, which counts its bytes. */
function endless(response, headers, counts, gzip) {
  response.writeHead(206, headers);
  const out = gzip ? createGzip() : response;
  if (gzip) out.pipe(response);
  const part = Buffer.alloc(1 << 16);
  const write = () => { while (!response.destroyed && counts.bytes < 1 << 28) { counts.bytes += part.length; if (!out.write(part)) return out.once("drain", write); } };
  response.on("close", () => out.destroy());
  write();
}

test("a server that sends more than the range is stopped, compressed or not", served(async (server) => {
  for (const gzip of [false, true]) {
    const counts = { bytes: 0 };
    const headers = { "content-range": "bytes 0-1023/5000", ...gzip && { "content-encoding": "gzip" } };
    server.cut = async (response) => endless(response, headers, counts, gzip);
    await assert.rejects(mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } }), { name: "QuakeError", message: gzip ? /compresses byte ranges/ : /another length/ });
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    assert.ok(counts.bytes < 1 << 26, `${counts.bytes} bytes were sent`);
  }
}));

test("no message and no error has the query of an address", served(async (server) => {
  const url = `${server.url}/none.pak?token=SECRET`;
  const authorization = "Bearer SECRET\nx";
  const more = ["http:me:SECRET@127.0.0.1:1", " http://me:SECRET@127.0.0.1:1/$&", "//me:SECRET@a/b", "me:SECRET@a", "data:,SECRET", new RangeSource(url, { headers: { authorization } })];
  for (const given of [url, new URL(url), new RangeSource(url), "http://[?token=SECRET", "http://me:SECRET@127.0.0.1:1/pak0.pak", ...more]) {
    const error = await mount({ sources: { "id1/pak0.pak": given } }).catch((error) => error);
    assert.ok(error instanceof QuakeError && !inspect(error, { depth: 9 }).includes("SECRET"), inspect(error));
  }
  const error = await mount({ sources: { "id1/a.cfg": Buffer.from("a") }, module: url }).catch((error) => error);
  assert.ok(!inspect(error, { depth: 9 }).includes("SECRET"), inspect(error));
}));

test("a mount that failed sends no more requests", served(async (server) => {
  const urls = Array.from({ length: 100 }, (_, index) => [`id1/pak${index}.pak`, `${server.url}/none${index}.pak`]);
  await assert.rejects(mount({ sources: urls }), { status: 404 });
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  assert.ok(server.count() < 20, `${server.count()} requests`);
}));

test("a signal ends a mount and its questions", served(async (server) => {
  server.files.set("/pak0.pak", pack({ "a.cfg": "a".repeat(5000) }));
  const sources = { "id1/pak0.pak": `${server.url}/pak0.pak` };
  await assert.rejects(mount({ sources, signal: AbortSignal.abort() }), { name: "AbortError" });
  const control = new AbortController();
  const quake = await mount({ sources, signal: control.signal });
  server.cut = () => {};
  const reading = quake.read("a.cfg");
  control.abort(new Error("enough"));
  await assert.rejects(reading, { message: "enough" });
  await assert.rejects(mount({ sources, signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
}));

test("a game is closed at the end of its block", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  assert.equal(quake[Symbol.dispose](), undefined);
  assert.throws(() => quake.find("a.cfg"), { message: "this game was closed" });
  const other = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  await other[Symbol.asyncDispose]();
  assert.throws(() => other.find("a.cfg"), { message: "this game was closed" });
});

test("what is no name and no file is refused with what was expected", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  for (const wrong of [5, null, undefined, {}]) {
    for (const ask of ["read", "blob", "model"]) await assert.rejects(quake[ask](wrong), { name: "QuakeError", message: /^expected the name of a file or a file of this game, not / });
  }
});

test("a signal ends the questions of one view of a game", served(async (server) => {
  server.files.set("/pak0.pak", pack({ "a.cfg": "a".repeat(5000), "b.cfg": "b".repeat(5000) }));
  const quake = await mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } });
  await assert.rejects(quake.until(AbortSignal.abort()).read("a.cfg"), { name: "AbortError" });
  const control = new AbortController();
  const view = quake.until(control.signal);
  assert.deepEqual([view.engine, view.layers], [quake.engine, quake.layers]);
  const reading = view.read("a.cfg");
  control.abort(new Error("enough"));
  await assert.rejects(reading, { message: "enough" });
  assert.equal((await quake.read("b.cfg")).length, 5000);
  view.close();
  assert.throws(() => quake.find("a.cfg"), { message: "this game was closed" });
}));

test("a failure names the choices, and what helps", async () => {
  const sources = { "id1/pak0.pak": pack({ "a.cfg": "a" }), "id1/pak2.pak": pack({ "b.cfg": "b" }) };
  await assert.rejects(mount({ sources, on: "dos" }), (error) => /linux.*macos.*windows/s.test(error.message + error.help));
  const quake = await mount({ sources, engine: "quakespasm" });
  await assert.rejects(quake.read("b.cfg"), (error) => error instanceof QuakeError && error.help !== "" && /pak2/.test(error.message));
});

test("mounts beyond the address space tell what to do", async () => {
  const quakes = [];
  try {
    while (quakes.length < 400) quakes.push(await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } }));
  } catch (error) {
    assert.ok(error instanceof QuakeError && quakes.length >= 100, `${quakes.length}: ${error.message}`);
    assert.match(error.help, /close/);
  }
  for (const quake of quakes) quake.close();
});

/** Numbers of 32 bits, and a WAV of 16 bits with these samples. */
const words = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
const wav = (samples) => Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), words(16, 0x20001, 22050, 88200, 0x100004), Buffer.from("data"), words(samples.length * 2), Buffer.from(Int16Array.from(samples).buffer)]);

test("sounds and pictures are typed arrays, with the palette of the game", async () => {
  const palette = Buffer.alloc(768, 9);
  const files = { "sound/a.wav": wav([1, -2, 3, -4]), "gfx/a.lmp": Buffer.concat([words(2, 1), Buffer.of(1, 255)]), "gfx/palette.lmp": palette, "gfx/b.png": "PNG", "a.mdl": "IDPO" };
  const quake = await mount({ sources: { "id1/pak0.pak": pack(files) } });
  const { samples, ...sound } = await quake.sound("sound/a.wav");
  assert.deepEqual(samples, Int16Array.of(1, -2, 3, -4));
  assert.deepEqual({ ...sound, seconds: 0 }, { rate: 22050, channels: 2, seconds: 0, loops: false });
  assert.deepEqual(await quake.picture("gfx/a.lmp"), { name: "", width: 2, height: 1, data: Uint8ClampedArray.of(9, 9, 9, 255, 0, 0, 0, 0) });
  await assert.rejects(quake.picture("gfx/b.png"), { name: "QuakeError", help: /createImageBitmap/ });
  for (const ask of ["model", "level", "entities", "sound"]) await assert.rejects(quake[ask]("a.mdl"), { name: "QuakeError", message: /^a.mdl: / });
});

test("a closed game answers no question", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  const reading = quake.read("a.cfg");
  quake.close();
  quake.close();
  await assert.rejects(reading, { message: "this game was closed" });
  assert.throws(() => quake.find("a.cfg"), { message: "this game was closed" });
  for (const ask of ["read", "blob", "findings", "check", "path", "which", "overridden", "compare", "companions", "substitutes", "needs", "unused", "mods", "place", "model", "level", "entities", "sound", "picture", "pictures", "facts"]) await assert.rejects(quake[ask]("a.cfg"), { message: "this game was closed" });
});

test("a RangeSource of two mounts finds a changed file in the earlier one", served(async (server) => {
  const of = (first, second) => pack({ [first]: first.repeat(100_000), [second]: second.repeat(100_000) });
  server.files.set("/pak0.pak", of("a", "b"));
  const source = new RangeSource(`${server.url}/pak0.pak`);
  const early = await mount({ sources: { "id1/pak0.pak": source } });
  server.files.set("/pak0.pak", of("b", "a"));
  const late = await mount({ sources: { "id1/pak0.pak": source } });
  await assert.rejects(early.read("b"), { message: /the file changed since the mount/ });
  assert.equal(String.fromCharCode((await late.read("b"))[0]), "b");
}));

test("a loose file is read in one request", served(async (server) => {
  server.files.set("/music.ogg", Buffer.alloc(3_000_000, "m"));
  for (const ask of ["read", "blob"]) {
    const quake = await mount({ sources: { "id1/pak0.pak": pack({ a: "a" }), "id1/music.ogg": `${server.url}/music.ogg` } });
    const before = server.requests.length;
    const found = await quake[ask]("music.ogg");
    assert.equal(found.size ?? found.length, 3_000_000);
    assert.equal(server.requests.length, before + 1);
  }
}));

/** A source by position with files of this size, which counts the bytes that it read. */
function large(count, size) {
  const head = pack(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, ""])));
  const view = new DataView(head.buffer);
  for (let index = 0; index < count; index += 1) {
    view.setUint32(64 * index + 68, head.length + index * size, true);
    view.setUint32(64 * index + 72, size, true);
  }
  const source = { size: head.length + count * size, bytes: 0 };
  source.read = async (offset, length) => {
    source.bytes += length;
    const bytes = new Uint8Array(length);
    bytes.set(head.subarray(offset, offset + length));
    return bytes;
  };
  return source;
}

test("reads at once may need more than 1 GiB in total, and keep little", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": large(300, 4 << 20) } });
  const files = quake.files();
  let [next, most] = [0, 0];
  const start = process.memoryUsage().arrayBuffers;
  const work = async () => {
    while (next < files.length) {
      next += 1;
      assert.equal((await quake.read(files[next - 1])).length, 4 << 20);
      most = Math.max(most, process.memoryUsage().arrayBuffers - start);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  // the rest waits for the collector of garbage
  assert.ok(most < 700 << 20, `${most} bytes`);
});

test("a question that needs too much reads nothing, and an own source that reads too little is an error", async () => {
  const source = large(1, 1100 << 20);
  const quake = await mount({ sources: { "id1/pak0.pak": source } });
  const before = source.bytes;
  await assert.rejects(quake.read("f0"), { message: /^this answer needs more than 1073741824 bytes of the sources at once$/ });
  assert.equal(source.bytes, before);
  const short = { size: 5, read: (offset, length) => new Uint8Array(length - 1) };
  const loose = await mount({ sources: { "id1/a.cfg": short } });
  await assert.rejects(loose.read("a.cfg"), { message: "id1/a.cfg: `read(0, 5)` returned 4 bytes" });
});

test("bytes that were transferred away are an error", async () => {
  const bytes = pack({ "a.cfg": "a".repeat(50_000) });
  const quake = await mount({ sources: { "id1/pak0.pak": bytes } });
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  await assert.rejects(quake.read("a.cfg"), { message: /^id1\/pak0\.pak: its bytes are gone/ });
  await assert.rejects(mount({ sources: { "id1/pak0.pak": bytes } }), { message: /^id1\/pak0\.pak: its bytes are gone/ });
});

/** A handle of a folder, as browsers have. */
const handle = (name, files) => ({
  kind: "directory",
  name,
  async* entries() {
    for (const [name, data] of Object.entries(files)) yield [name, data instanceof Uint8Array ? { kind: "file", name, getFile: async () => new File([data], name) } : handle(name, data)];
  },
});

test("a handle of a game directory is that directory", async () => {
  const id1 = { "pak0.pak": pack({ "a.cfg": "a" }), "config.cfg": Buffer.from("c"), maps: { "my.bsp": Buffer.from("m") } };
  for (const [sources, base] of [[handle("id1", id1), "."], [[handle("id1", id1)], "."], [handle("quake", { id1 }), "quake"], [{ q: handle("quake", { id1 }) }, "q"]]) {
    const quake = await mount({ sources, engine: "quakespasm" });
    assert.deepEqual([quake.base, quake.layers.map(({ layer }) => layer), quake.files().map((file) => file.name)], [base, ["id1/pak0.pak", "id1/"], ["a.cfg", "config.cfg", "maps/my.bsp"]]);
    assert.equal(await (await quake.blob("config.cfg")).text(), "c");
  }
});

test("a copy in another game is named, though its archive is read after the question", async () => {
  const quake = { id1: { "pak0.pak": pack({ "a.cfg": "a" }) }, mymod: { "pak0.pak": pack({ "a.cfg": "b", "b.cfg": "c" }) } };
  const game = await mount({ sources: handle("quake", quake), engine: "quakespasm" });
  const { layer, skipped } = await game.which("a.cfg");
  assert.deepEqual([layer, skipped.map((copy) => [copy.layer, copy.because])], ["id1/pak0.pak", [["mymod/pak0.pak", "other-game"]]]);
  assert.equal((await game.which("b.cfg")).because, "other-game");
});

test("files beside archives without a game directory are left out, and no name has another folder", async () => {
  const files = { "a.pak": pack({ "a.cfg": "a", "b.cfg": "b" }), "b.pak": pack({ "a.cfg": "b" }), "readme.txt": Buffer.from("r"), maps: { "my.bsp": Buffer.from("m") } };
  const quake = await mount({ sources: handle("mod", files) });
  assert.deepEqual([quake.base, quake.layers.map(({ layer }) => layer), quake.find("b.cfg").layer], [null, ["mod/b.pak", "mod/a.pak"], "mod/a.pak"]);
  assert.deepEqual((await quake.findings()).map(({ kind, location }) => [kind, location]), [["not-mounted", "mod/readme.txt"], ["not-mounted", "mod/maps/my.bsp"]]);
  assert.equal((await quake.check()).filter(({ kind }) => kind === "not-mounted").length, 2);
  const { layer, overridden } = await quake.which("a.cfg");
  assert.deepEqual([layer, overridden.map((copy) => copy.layer)], ["mod/b.pak", ["mod/a.pak"]]);
  await assert.rejects(mount({ sources: { "bad.pak": Buffer.from("x") } }), { message: /^bad\.pak: / });
  await assert.rejects(mount({ sources: handle("mod", { "readme.txt": Buffer.from("r") }) }), { message: /no folder id1$/, help: /game directories$/ });
});

test("paths may have the separators of Windows, and sources may come one after another", async () => {
  async function* sources() {
    yield ["quake\\id1\\pak0.pak", pack({ "maps/start.bsp": "" })];
    yield ["/quake/./id1//a.cfg", Buffer.from("a")];
  }
  const quake = await mount({ sources: sources() });
  assert.deepEqual([quake.base, quake.files().map((file) => file.name)], ["quake", ["a.cfg", "maps/start.bsp"]]);
  assert.equal((await quake.needs("start")).levels[0].level, "maps/start.bsp");
});

test("the module may be an address, an answer, bytes or compiled, and a wrong one is named", served(async (server) => {
  const sources = { "id1/pak0.pak": pack({ "a.cfg": "a" }) };
  const bytes = await readFile(join(process.env.QUAKEFS_WEB, "quakefs.wasm"));
  const url = `${server.url}/quakefs.wasm`;
  for (const module of [bytes, url, new URL(url), fetch(url), await WebAssembly.compile(bytes)]) {
    assert.equal((await (await mount({ sources, module })).which("a.cfg")).stored, "a.cfg");
  }
  server.files.set("/page.html", Buffer.from("<!doctype html><title>A page</title>"));
  const page = `${server.url}/page.html`;
  await assert.rejects(mount({ sources, module: page }), { message: `${page} is not the module of quakefs: it starts with "<!doctype html><" (200, text/html). Give the address of quakefs.wasm in the option \`module\`` });
  await assert.rejects(mount({ sources, module: `${server.url}/none.wasm` }), { message: /none\.wasm is not the module of quakefs: it starts with "" \(404, null\)/ });
  await assert.rejects(mount({ sources, module: Buffer.from("x") }), { message: /^the given data is not the module of quakefs: it starts with "x"/ });
  server.close();
  await assert.rejects(mount({ sources, module: `${server.url}/gone.wasm` }), { message: /gone\.wasm cannot be loaded: / });
}, {}, process.env.QUAKEFS_WEB));

test("bundlers find the module, and no module of Node.js", async () => {
  const scripts = await Promise.all(["index.js", "sources.js", "cached.js", "glue.js"].map((file) => readFile(join(process.env.QUAKEFS_WEB, file), "utf8")));
  for (const script of scripts) assert.doesNotMatch(script, /(import|from|import\() ?\(?"node:/);
  assert.ok(scripts[0].includes('new URL("./quakefs.wasm", import.meta.url)'));
});

test("the types compile in a project for Node.js", async (context) => {
  const run = promisify(execFile);
  const npm = fileURLToPath(new URL("../../../.ci/npm", import.meta.url));
  const modules = await run(npm, ["typescript@5.9.3", "@types/node@20.19.25"]).then(({ stdout }) => stdout.trim(), () => null);
  if (!modules) return context.skip("TypeScript is not installed: the registry of npm is not reached");
  const types = fileURLToPath(new URL("types.ts", import.meta.url));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "nodenext", "--typeRoots", join(modules, "@types"), "--types", "node"];
  return run(process.execPath, [join(modules, "typescript/bin/tsc"), ...options, types]).catch(({ stdout }) => assert.fail(stdout));
});

const mostly = isThere ? {} : { skip: "needs paks/librequake of QUAKEFS_DATA, see testdata/fetch" };

test("a mount of LibreQuake over HTTP needs a request for each header and directory", mostly, served(async (server, context) => {
  const quake = await mount({ sources: Object.fromEntries(["id1/pak0.pak", "id1/pak1.pak"].map((name) => [name, `${server.url}/${name}`])) });
  assert.equal(quake.files().length, 378 - 2);
  const bytes = server.requests.reduce((sum, request) => sum + request.bytes, 0);
  context.diagnostic(`LibreQuake: ${server.requests.length} requests, ${bytes} bytes`);
  assert.ok(server.requests.length <= 4 && bytes < 40_000);
  const file = quake.files().reduce((a, b) => (a.size > b.size ? a : b));
  assert.equal((await quake.read(file)).length, file.size);
  assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
}, {}, librequake));

test("a level's needs and a model's skin are found", mostly, async () => {
  const sources = await folder(librequake, openAsBlob);
  const quake = await mount({ sources, engine: "quakespasm", games: ["vektar"] });
  const { levels: [{ needed }] } = await quake.needs("maps/start.bsp");
  assert.ok(needed.some((need) => need.name === "progs/player.mdl" && !need.missing));
  const { triangles: all, uvs, frames, skins, surfaces } = await quake.model("progs/player.mdl");
  assert.deepEqual(surfaces, [{ name: "", file: null, start: 0, count: all.length / 3 }]);
  for (const { positions } of frames) assert.equal(positions.length / 3, uvs.length / 2);
  assert.ok(all instanceof Uint32Array && all.every((vertex) => vertex < uvs.length / 2) && frames[0].name);
  assert.equal(skins[0][0].data.length, skins[0][0].width * skins[0][0].height * 4);
  const level = await quake.level("maps/start.bsp");
  const faces = level.corners.length;
  assert.equal(level.corners.reduce((sum, count) => sum + count, 0) * 3, level.positions.length);
  assert.deepEqual([level.faceTextures.length, level.faceLights.length], [faces, faces * 4]);
  assert.ok(level.triangles.every((corner) => corner < level.positions.length / 3));
  for (let face = 0; face < faces; face += 1) {
    const [start, width, height, styles] = level.faceLights.subarray(face * 4);
    assert.ok(start + width * height * styles * level.lightChannels <= level.light.length);
  }
  assert.ok(level.textures[level.faceTextures[0]].picture.data.length > 0);
  assert.equal((await quake.entities("maps/start.bsp"))[0].classname, "worldspawn");
  assert.equal((await quake.facts("progs.dat"))["Program for"], "Quake (CRC 5927)");
});

test("a listing of a ZIP needs its tail and its directory", served(async (server, context) => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`maps/m${number}.bsp`, Buffer.alloc(4096, number)]));
  server.files.set("/pak0.pk3", zip(files));
  const quake = await mount({ sources: { "baseq3/pak0.pk3": `${server.url}/pak0.pk3` }, engine: "ioquake3" });
  assert.equal(quake.files().length, 40);
  context.diagnostic(`a ZIP: ${server.requests.map(({ range, bytes }) => `${range} ${bytes}`).join(", ")}`);
  assert.ok(server.requests.length <= 2, `${server.requests.length} requests`);
  assert.deepEqual(await quake.read("maps/m7.bsp"), new Uint8Array(4096).fill(7));
}));

function crc(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
