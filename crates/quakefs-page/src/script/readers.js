// Files that the page reads by itself: demos, programs, coloured light. Each reader gives rows of facts, or throws.

/** The most letters of a text that are shown. */
const LONGEST = 256;

/** Little-endian fields and texts of a file. Reading past the end throws. */
function fieldsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (at) => view.getUint32(at, true);
  const letters = (at, end) => String.fromCharCode(...bytes.subarray(at, Math.min(end, at + LONGEST)).map((byte) => byte & 127));
  /** A text up to its NUL before an end, and the offset behind it. */
  const string = (at, most = bytes.length) => {
    const length = bytes.subarray(at, most).indexOf(0);
    if (length < 0) throw new Error("a text does not end");
    return [letters(at, at + length), at + length + 1];
  };
  /** A name. Its NUL may be far away, and there are many names. */
  const named = (at) => {
    const length = bytes.subarray(at, at + LONGEST).indexOf(0);
    return letters(at, at + (length < 0 ? LONGEST : length));
  };
  return { bytes, size: bytes.length, byte: (at) => view.getUint8(at), u16: (at) => view.getUint16(at, true), u32, i32: (at) => view.getInt32(at, true), f32: (at) => view.getFloat32(at, true), string, named };
}

/** What a demo tells: its protocol, its levels, and its length in seconds. */
const demoRows = (format, { protocol, maps, title, game, length }) => {
  if (protocol == null) throw new Error(`it has no start of ${format}`);
  return [["Demo of", format], ["Protocol", String(protocol)], ["Level", name([...new Set(maps)].join(", ") || "not named")], ["Title", title || null], ["Game", game || null], ["Length", seconds(length)]];
};

/** Marks of extended protocols, before the protocol: FTE's two. */
const EXTENSIONS = new Set([0x58455446, 0x32455446]);

/** The start of a level of Quake: `svc_serverinfo`, behind texts for the console. */
function serverInfo(fields, start, end) {
  let at = start;
  while (at < end && [1, 8, 9].includes(fields.byte(at))) at = fields.byte(at) === 1 ? at + 1 : fields.string(at + 1, end)[1];
  if (at >= end || fields.byte(at) !== 11) return null;
  at += 1;
  while (EXTENSIONS.has(fields.u32(at))) at += 8;
  const protocol = fields.u32(at);
  // RMQ's protocol has flags
  const [title, next] = fields.string(at + (protocol === 999 ? 10 : 6), end);
  return { protocol, title, map: fields.string(next, end)[0] };
}

/** `.dem`: the track of the CD as a line, then messages with their sizes and the view (`CL_PlayDemo_f` of Quake). */
function quakeDemo(fields) {
  const found = { maps: [], length: 0 };
  const line = fields.bytes.indexOf(10);
  if (line < 0 || line > 12) throw new Error("it has no track of the CD");
  let [first, last] = [null, null];
  const end = () => { found.length += last == null ? 0 : Math.max(0, last - first); first = last = null; };
  for (let at = line + 1; at + 16 <= fields.size;) {
    const [start, size] = [at + 16, fields.u32(at)];
    if (start + size > fields.size) break;
    at = start + size;
    if (!size) continue;
    const info = serverInfo(fields, start, at);
    if (info) {
      end();
      found.protocol ??= info.protocol;
      found.title ??= info.title;
      found.maps.push(info.map);
    } else if (fields.byte(start) === 7) {
      last = fields.f32(start + 1);
      first ??= last;
    }
  }
  end();
  return demoRows("Quake", found);
}

/** `.dm2`: messages with their sizes, ten frames a second (`CL_ParseServerData` of Quake II). */
function quake2Demo(fields) {
  const found = { maps: [], length: 0 };
  let [first, last] = [null, null];
  for (let at = 0; at + 4 <= fields.size;) {
    const [start, size] = [at + 4, fields.u32(at)];
    if (start + size > fields.size) break;
    at = start + size;
    if (!size) continue;
    let next = start;
    if (fields.byte(next) === 12) {
      found.protocol ??= fields.u32(next + 1);
      [found.game, next] = fields.string(next + 10);
      [found.title, next] = fields.string(next + 2);
    }
    // the names of files, of which the second model is the level
    while (next + 3 < at && fields.byte(next) === 13) {
      const [index, [text, behind]] = [fields.u16(next + 1), fields.string(next + 3)];
      if (index === 33) found.maps.push(text);
      next = behind;
    }
    if (next < at && fields.byte(next) === 20) {
      last = fields.u32(next + 1);
      first ??= last;
    }
  }
  found.length = last == null ? 0 : Math.max(0, last - first) / 10;
  return demoRows("Quake II", found);
}

/** `.qwd` and `.mvd`: parts with a time (`CL_GetDemoMessage` of QuakeWorld; a multi-view demo counts milliseconds). */
function worldDemo(fields, isMulti) {
  const found = { maps: [], length: 0 };
  let [first, last, at, steps] = [null, 0, 0, 0];
  const [head, ahead] = isMulti ? [1, 0] : [4, 8];
  while (at + head + 1 <= fields.size) {
    if (isMulti) steps += fields.byte(at);
    else last = fields.f32(at);
    first ??= last;
    const kind = fields.byte(at + head) & 7;
    at += head + 1;
    if (kind === 0) at += 36;
    else if (kind === 2) at += 8;
    else {
      if (kind === 3) at += 4;
      if (at + 4 > fields.size) break;
      const [start, size] = [at + 4 + ahead, fields.u32(at)];
      at += 4 + size;
      if (at > fields.size) break;
      if (found.protocol == null && start < at && fields.byte(start) === 11) {
        let next = start + 1;
        while (EXTENSIONS.has(fields.u32(next))) next += 8;
        found.protocol = fields.u32(next);
        [found.game, next] = fields.string(next + 8);
        [found.title] = fields.string(next + (isMulti ? 4 : 1));
      }
    }
  }
  const [, map] = String.fromCharCode(...fields.bytes.subarray(0, 1 << 15)).match(/\\map\\([^\\"\0]+)/) ?? [];
  if (map) found.maps.push(map);
  found.length = isMulti ? steps / 1000 : Math.max(0, last - first);
  return demoRows("QuakeWorld", found);
}

/** The programs by the checksum of the variables that they share with the engine. */
const CHECKSUMS = { 5927: "Quake", 54730: "QuakeWorld", 38488: "Hexen II", 26905: "Hexen II with its mission pack", 22390: "the client in FTE", 52195: "the client in DarkPlaces", 10020: "menus", 32401: "Tenebrae" };
/** The last function of Quake's own engine. */
const LAST_BUILTIN = 78;

/** `.dat`: a program of QuakeC (`pr_comp.h`), with the functions that it expects in the engine. */
function program(fields) {
  const version = fields.u32(0);
  if (version !== 6 && version !== 7) throw new Error("it is no program of QuakeC");
  const [checksum, functions, count, strings] = [fields.u32(4), fields.u32(32), fields.u32(36), fields.u32(40)];
  const builtins = [];
  for (let row = 0; row < count; row += 1) {
    const first = fields.i32(functions + row * 36);
    if (first < 0) builtins.push([-first, fields.named(strings + fields.u32(functions + row * 36 + 16))]);
  }
  builtins.sort(([a], [b]) => a - b);
  const newer = builtins.filter(([builtin]) => builtin > LAST_BUILTIN);
  const list = (some) => make("details", {}, make("summary", {}, number(some.length)), name(some.map(([builtin, words]) => `${words} #${builtin}`).join(", ")));
  return [
    ["Program for", `${CHECKSUMS[checksum] ?? "another engine"} (CRC ${checksum})`],
    ["Functions", number(count)],
    ["Builtins", builtins.length ? list(builtins) : "none"],
    ["Of newer engines", newer.length ? list(newer) : "none"],
  ];
}

/** `.lit`: coloured light of a level, three bytes for each point of its lightmaps. */
function light(fields) {
  if (fields.u32(0) !== 0x54494c51) throw new Error("it does not start with QLIT");
  return [["Light of", "a level of the same name"], ["Version", String(fields.u32(4))], ["Points", number(Math.floor((fields.size - 8) / 3))]];
}

const READERS = { dem: quakeDemo, dm2: quake2Demo, qwd: worldDemo, mvd: (fields) => worldDemo(fields, true), dat: program, lit: light };
const extensionOf = (path) => (/\.([^./]+)$/.exec(path)?.[1] ?? "").toLowerCase();

/** What files are that nothing shows, by their first bytes. */
const FIRST_BYTES = [
  [/^7z\xbc\xaf/, "a 7-Zip archive. Unpack it, and drop the folder."], [/^Rar!/, "a RAR archive. Unpack it, and drop the folder."],
  [/^\x1f\x8b/, "a gzip archive. Unpack it, and drop the folder."], [/^PK/, "a ZIP archive."], [/^PACK/, "a PAK archive."],
  [/^MZ/, "a program or a library for Windows."], [/^\x7fELF/, "a program or a library for Linux."], [/^(\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/, "a program or a library for macOS."],
  [/^IDS2/, "a sprite of Quake II, which names its pictures."], [/^(RoQ|\x84\x10)/, "a film of Quake III."], [/^BIK/, "a Bink film."], [/^%PDF/, "a PDF document."],
  [/^(ID3|\xff[\xf2\xf3\xfb])/, "an MP3 sound."], [/^fLaC/, "a FLAC sound."], [/^DDS /, "a compressed texture (DDS)."], [/^INTERQUAKEMODEL/, "a model of a newer engine (IQM)."], [/^MD5Version/, "a model or an animation of Doom 3."],
];
const EXTENSION_WORDS = { sav: "a saved game.", sv2: "a saved game.", dz: "a compressed demo.", qwz: "a compressed demo.", dm_68: "a demo of Quake III.", vis: "the visibility of water for a level.", ent: "the entities of a level.", ico: "an icon.", cin: "a film of Quake II.", qvm: "a program of Quake III.", aas: "the ways of bots in a level of Quake III." };

async function whatItIs(path, blob) {
  const head = String.fromCharCode(...new Uint8Array(await blob.slice(0, 16).arrayBuffer()));
  const words = FIRST_BYTES.find(([start]) => start.test(head))?.[1] ?? EXTENSION_WORDS[extensionOf(path)];
  if (words) return `It is ${words}`;
  if (!head) return "It is empty.";
  return `It is of a type that quakefs does not know. It starts with the bytes ${[...head.slice(0, 8)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(" ")}.`;
}

/** The facts of a file, by the reader of its extension. */
async function factsOf(path, blob) {
  try {
    return { type: "facts", rows: READERS[extensionOf(path)](fieldsOf(new Uint8Array(await blob.arrayBuffer()))) };
  } catch (error) {
    return { type: "error", why: error instanceof RangeError ? "it is cut off" : error.message };
  }
}
