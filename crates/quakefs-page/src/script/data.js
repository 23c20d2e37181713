// The data of the page with its numbers resolved: files, conflicts and missing files that refer to each other.

let files = [];
/** Entries of skipped archives. Only a search finds them. */
let skipped = [];
/** Files that levels need and no layer has. */
let missing = [];
let conflicts = [];
let findings = [];
/** Whether the base game is not here: a mod or a level by itself. */
let isPart = false;
let byPath = new Map();
/** The files and the missing files, sorted by name. */
let everything = [];

const byOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The fields of every kind of file. */
const fileOf = (path, last) => ({ path, last, name: path, findings: [], lacks: [] });

function resolve() {
  files = data.folders.flatMap((folder) => folder.files.map((row) => servedFile(folder.name, row)));
  byPath = new Map(files.map((file) => [file.path, file]));
  skipped = data.skipped.flatMap((archive, index) => archive.files.map(([path, size]) => ({ ...fileOf(path, path), archive: index, size })));
  isPart = !hasBaseGame();
  missing = isPart ? [] : data.missing.map(missingFile);
  // nothing of the base game counts as missing
  findings = data.findings.filter((finding) => !isPart || !isOfBase(finding)).map((finding) => ({ ...finding, reason: spoken(finding.reason), help: finding.help ?? "" }));
  for (const file of missing) {
    for (const level of file.needed.levels) byPath.get(level)?.lacks.push(file);
  }
  conflicts = data.conflicts.map(conflictOf);
  for (const file of files) {
    if (file.conflict != null) file.preview = conflicts[file.conflict].copies[0].preview;
  }
  for (const finding of findings) {
    if (finding.name != null) byPath.get(finding.name)?.findings.push(finding);
  }
  everything = missing.length ? [...files, ...missing].sort((a, b) => byOrder(a.path, b.path)) : files;
}

/** A sentence that begins with the engine's word, with its name instead. */
function spoken(sentence) {
  const start = sentence.startsWith("skipped: ") ? "skipped: " : "";
  return sentence.startsWith(`${start}${data.engine} `) ? start + engineWords() + sentence.slice(start.length + data.engine.length) : sentence;
}

// some systems find the folder in any case
const isInBase = (name) => data.base.some((base) => `/${name.toLowerCase()}`.includes(`/${base.toLowerCase()}/`));
/** The folder that holds the base game: `id1`. */
const baseName = () => data.base.find((name) => name !== ".");

/** Whether a base directory has an archive, or files beside levels. */
function hasBaseGame() {
  const inBase = new Set([...data.layers.entries()].filter(([, layer]) => layer.there && isInBase(layer.name)).map(([index]) => index));
  return !data.base.length || data.skipped.some((archive) => isInBase(archive.name))
    || [...inBase].some((index) => data.layers[index].entries != null)
    || files.some((file) => inBase.has(file.layer) && !/^maps\//i.test(file.path));
}

/** Whether a finding is about a file or a folder of the base game that is not here. */
const isOfBase = ({ kind, name, location: at, stops }) => (stops && name != null && !byPath.has(name)) || (kind === "missing-directory" && isInBase(at));

function servedFile(folder, [last, layer, type, size, entry, conflict, preview]) {
  const path = folder ? `${folder}/${last}` : last;
  return { ...fileOf(path, last), folder, layer, type: data.types[type], size, entry, conflict, preview };
}

function missingFile(needed) {
  const cut = needed.name.lastIndexOf("/");
  const [folder, last] = cut < 0 ? ["", needed.name] : [needed.name.slice(0, cut), needed.name.slice(cut + 1)];
  return { ...fileOf(needed.name, last), folder, layer: null, type: needed.kind, size: 0, entry: null, conflict: null, preview: null, needed };
}

function conflictOf(conflict, index) {
  const copies = conflict.copies.map(([layer, entry, size, same, rule, preview, stored]) => ({
    name: conflict.name, layer, entry, size, same, rule: rule == null ? null : data.rules[rule], preview, stored,
  }));
  const overridden = copies.slice(1);
  const state = overridden.some((copy) => copy.same === false) ? "different"
    : overridden.every((copy) => copy.same) ? "same" : "unknown";
  return { name: conflict.name, index, copies, state };
}

/** The layer of a file, or the skipped archive that contains it. */
const placeOf = (file) => (file.archive == null ? data.layers[file.layer].name : `skipped: ${data.skipped[file.archive].name}`);
const stateOf = (file) => (file.needed ? "missing" : file.conflict == null ? "only" : conflicts[file.conflict].state);

/** The fields by which the module finds a copy. */
const copyKey = ({ name, layer, entry }) => ({ name, layer, entry });
