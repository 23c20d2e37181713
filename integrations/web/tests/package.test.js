// The package in Node.js: `QUAKEFS_WEB=FOLDER node --test tests`, with the folder that `.ci/web` made.
import assert from "node:assert/strict";
import { openAsBlob } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { serve } from "./server.js";

const ofPackage = (file) => import(pathToFileURL(join(resolve(process.env.QUAKEFS_WEB), file)));
const { mount, QuakeError, RangeSource } = await ofPackage("index.js");
const { Cached } = await ofPackage("cached.js");
const testdata = new URL("../../../testdata/", import.meta.url).pathname;
const shared = process.env.QUAKEFS_PAKS ?? new URL("../../../../shared/paks/", import.meta.url).pathname;
const isThere = await readdir(join(shared, "librequake")).then(() => true, () => false);

/** The files of a folder as sources. */
async function folder(base, data) {
  const items = await readdir(base, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile()).map((item) => join(item.parentPath ?? item.path, item.name));
  return Promise.all(files.map(async (file) => [relative(base, file).replaceAll("\\", "/"), await data(file)]));
}

/** A PACK with these files. */
function pack(files) {
  const entries = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]);
  const payload = Buffer.concat(entries.map(([, bytes]) => bytes));
  const header = Buffer.alloc(12);
  header.write("PACK");
  header.writeUInt32LE(12 + payload.length, 4);
  header.writeUInt32LE(64 * entries.length, 8);
  let offset = 12;
  const rows = entries.map(([name, bytes]) => {
    const row = Buffer.alloc(64);
    row.write(name);
    row.writeUInt32LE(offset, 56);
    row.writeUInt32LE(bytes.length, 60);
    offset += bytes.length;
    return row;
  });
  return new Uint8Array(Buffer.concat([header, payload, ...rows]));
}

test("blobs, bytes and URLs give the same answers", async () => {
  const server = await serve(testdata);
  try {
    const base = join(testdata, "game");
    const answers = [];
    for (const data of [openAsBlob, readFile, async (file) => `${server.url}/${relative(testdata, file)}`]) {
      const quake = await mount({ sources: await folder(base, data), engine: "quakespasm", games: ["mymod"] });
      const files = quake.files();
      const contents = await Promise.all(files.map(async (file) => [...await quake.read(file)]));
      const explained = await Promise.all(files.map((file) => quake.explain(file.name)));
      answers.push({ layers: quake.layers, files, contents, explained, found: await quake.check(), early: await quake.findings() });
    }
    assert.equal(answers[0].layers[0].name, "mymod/pak1.pak");
    assert.ok(answers[0].files.length > 3 && answers[0].found.length > 0);
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
  } finally {
    server.close();
  }
});

test("several mounts at once have their own files", async () => {
  const game = (text) => mount({ sources: { "id1/pak0.pak": pack({ "autoexec.cfg": text }) } });
  const [one, two] = await Promise.all([game("one"), game("two")]);
  assert.equal(String(Buffer.from(await one.read("autoexec.cfg"))), "one");
  assert.equal(String(Buffer.from(await two.read("autoexec.cfg"))), "two");
});

test("the base directory is found in folders, and archives alone are mounted on top of each other", async () => {
  const low = pack({ "a.cfg": "low", "b.cfg": "b" });
  const quake = await mount({ sources: { "Games/Quake/id1/pak0.pak": low, "Games/Quake/mod/a.cfg": Buffer.from("high") }, games: ["mod"] });
  assert.deepEqual([quake.base, quake.engine], ["Games/Quake", "quakespasm"]);
  assert.deepEqual(quake.copies("a.cfg").map((copy) => copy.layer), ["mod/", "id1/pak0.pak"]);
  const alone = await mount({ sources: { "one.pak": low, "two.pak": pack({ "a.cfg": "two" }) } });
  assert.equal(alone.base, null);
  assert.equal(String(Buffer.from(await alone.read("a.cfg"))), "two");
});

test("names compare as on the chosen system", async () => {
  const sources = { "id1/PAK0.PAK": pack({ "a.cfg": "a" }) };
  const on = async (on) => (await mount({ sources, on })).find("a.cfg")?.layer ?? null;
  assert.deepEqual([await on("linux"), await on("windows")], [null, "id1/PAK0.PAK"]);
});

test("failures are errors with an advice, and never empty answers", async () => {
  const quake = await mount({ sources: { "id1/pak0.pak": pack({ "a.cfg": "a" }) } });
  await assert.rejects(quake.read("missing.cfg"), { name: "QuakeError", message: "missing.cfg is missing" });
  assert.throws(() => quake.glob("["), (error) => error instanceof QuakeError && error.help !== "");
  assert.equal(quake.find("a\0.cfg"), null);
  const explained = await quake.explain("A.CFG\\");
  assert.equal(explained.file, null);
  await assert.rejects(mount({ sources: {}, engine: "doom" }), { message: /^no engine is called "doom"/ });
  await assert.rejects(mount({ sources: { a: 1 } }), TypeError);
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

test("a file that changed after the mount is an error", async () => {
  const server = await serve(testdata);
  try {
    const archive = pack({ "a.cfg": "a".repeat(50_000) });
    server.files.set("/pak0.pak", archive);
    const quake = await mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } });
    server.files.set("/pak0.pak", Buffer.from(archive));
    await assert.rejects(quake.read("a.cfg"), { message: /the file changed since the mount: mount it again$/ });
  } finally {
    server.close();
  }
});

test("a server without byte ranges is refused with a reason", async () => {
  const server = await serve(testdata, { ranges: false });
  try {
    server.files.set("/pak0.pak", pack({ "a.cfg": "a" }));
    const sources = (name) => ({ "id1/pak0.pak": `${server.url}/${name}` });
    await assert.rejects(mount({ sources: sources("pak0.pak") }), { message: /the server does not answer byte ranges: fetch the whole file/ });
    await assert.rejects(mount({ sources: sources("none.pak") }), { message: /the server answers 404/ });
  } finally {
    server.close();
  }
  await assert.rejects(mount({ sources: { "id1/pak0.pak": `${server.url}/pak0.pak` } }), { message: /^http:\/\/127\.0\.0\.1:\d+\/pak0\.pak: / });
});

test("a server of another origin that hides the range tells the size by HEAD", async () => {
  const server = await serve(testdata, { hides: true });
  try {
    server.files.set("/pak0.pak", pack({ "a.cfg": "a".repeat(5000) }));
    const source = new RangeSource(`${server.url}/pak0.pak`);
    const quake = await mount({ sources: { "id1/pak0.pak": source } });
    assert.equal((await quake.read("a.cfg")).length, 5000);
    assert.ok(server.requests.some(({ method }) => method === "HEAD"));
  } finally {
    server.close();
  }
});

const mostly = isThere ? {} : { skip: `${shared}librequake is not there` };

test("a mount of LibreQuake over HTTP needs a request for each header and directory", mostly, async (context) => {
  const server = await serve(join(shared, "librequake"));
  try {
    const quake = await mount({ sources: Object.fromEntries(["id1/pak0.pak", "id1/pak1.pak"].map((name) => [name, `${server.url}/${name}`])) });
    assert.equal(quake.files().length, 378 - 2);
    const bytes = server.requests.reduce((sum, request) => sum + request.bytes, 0);
    context.diagnostic(`LibreQuake: ${server.requests.length} requests, ${bytes} bytes`);
    assert.ok(server.requests.length <= 4 && bytes < 40_000);
    const file = quake.files().reduce((a, b) => (a.size > b.size ? a : b));
    assert.equal((await quake.read(file)).length, file.size);
    assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
  } finally {
    server.close();
  }
});

test("a level's needs and a model's skin are found", mostly, async () => {
  const sources = await folder(join(shared, "librequake"), openAsBlob);
  const quake = await mount({ sources, engine: "quakespasm", games: ["vektar"] });
  const { asked } = await quake.needs("maps/start.bsp");
  assert.ok(asked.some((need) => need.name === "progs/player.mdl" && !need.missing));
  const model = await quake.preview("progs/player.mdl");
  assert.equal(model.kind, "model");
  assert.equal(model.pictures[0].blob.type, "image/bmp");
  const [{ picture, vertices, triangles }] = model.surfaces;
  assert.equal(picture, 0);
  assert.ok(triangles.every((vertex) => vertex < vertices.length / 5));
  assert.equal(await quake.preview("progs.dat"), null);
});

test("a listing of a ZIP needs its tail and its directory", async (context) => {
  const server = await serve(testdata);
  try {
    // 40 stored entries of 4 KB
    const [parts, rows] = [[], []];
    let offset = 0;
    for (let number = 0; number < 40; number += 1) {
      const [name, bytes] = [Buffer.from(`maps/m${number}.bsp`), Buffer.alloc(4096, number)];
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
    end.writeUInt16LE(40, 8);
    end.writeUInt16LE(40, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(offset, 16);
    server.files.set("/pak0.pk3", Buffer.concat([...parts, directory, end]));
    const quake = await mount({ sources: { "baseq3/pak0.pk3": `${server.url}/pak0.pk3` }, engine: "ioquake3" });
    assert.equal(quake.files().length, 40);
    context.diagnostic(`a ZIP: ${server.requests.map(({ range, bytes }) => `${range} ${bytes}`).join(", ")}`);
    assert.ok(server.requests.length <= 2, `${server.requests.length} requests`);
    assert.deepEqual(await quake.read("maps/m7.bsp"), new Uint8Array(4096).fill(7));
  } finally {
    server.close();
  }
});

function crc(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
