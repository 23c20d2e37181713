// What files are that have no preview, and the facts that others tell.

const extensionOf = (path) => (/\.([^./]+)$/.exec(path)?.[1] ?? "").toLowerCase();

/** What files are that nothing shows, by their first bytes. */
const FIRST_BYTES = [
  [/^7z\xbc\xaf/, "a 7-Zip archive. Unpack it, and drop the folder."], [/^Rar!/, "a RAR archive. Unpack it, and drop the folder."],
  [/^\x1f\x8b/, "a gzip archive. Unpack it, and drop the folder."], [/^PK/, "a ZIP archive."], [/^PACK/, "a PAK archive."],
  [/^MZ/, "a program or a library for Windows."], [/^\x7fELF/, "a program or a library for Linux."], [/^(\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/, "a program or a library for macOS."],
  [/^IDS2/, "a sprite of Quake II, which names its pictures."], [/^(RoQ|\x84\x10)/, "a film of Quake III."], [/^BIK/, "a Bink film."], [/^%PDF/, "a PDF document."],
  [/^(ID3|\xff[\xf2\xf3\xfb])/, "an MP3 sound."], [/^fLaC/, "a FLAC sound."], [/^DDS /, "a compressed texture (DDS)."], [/^INTERQUAKEMODEL/, "a model of a newer engine (IQM)."], [/^MD5Version/, "a model or an animation of Doom 3."],
];
const EXTENSION_WORDS = { sv2: "a saved game.", dz: "a compressed demo.", qwz: "a compressed demo.", dm_68: "a demo of Quake III.", vis: "the visibility of water for a level.", ent: "the entities of a level.", ico: "an icon.", cin: "a film of Quake II.", qvm: "a program of Quake III.", aas: "the ways of bots in a level of Quake III." };

async function whatItIs(path, blob) {
  const head = String.fromCharCode(...new Uint8Array(await blob.slice(0, 16).arrayBuffer()));
  const words = FIRST_BYTES.find(([start]) => start.test(head))?.[1] ?? EXTENSION_WORDS[extensionOf(path)];
  if (words) return `It is ${words}`;
  if (!head) return "It is empty.";
  return `It is of a type that quakefs does not know. It starts with the bytes ${[...head.slice(0, 8)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(" ")}.`;
}

/** A fact: a text, a number, a length, or names behind their number. */
function factOf(value) {
  if (Array.isArray(value)) return value.length ? make("details", {}, make("summary", {}, number(value.length)), name(value.join(", "))) : "none";
  if (typeof value === "number") return number(value);
  return typeof value === "string" ? name(value) : seconds(value.seconds);
}
