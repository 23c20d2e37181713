// The downloads: where each goes and why, a menu that places it elsewhere, and what it adds and overrides.

/** The choice for an archive above the game instead of a folder. */
const ABOVE = "/";

function showPlaced() {
  byId("placed").replaceChildren(...mounted.placed.map(placedRow), ...(replaced.size ? [replacedRow([...replaced])] : []));
}

function replacedRow(paths) {
  const more = paths.length > 5 ? ` and ${number(paths.length - 5)} more` : "";
  return make("li", {}, name(paths.slice(0, 5).join(", ")), `${more}: the file dropped last replaces an earlier one of the same path `, advice("drop their folders to load both"));
}

/** The name of a download: of several loose files one of them. */
const downloadName = ({ name: file, files: all }) => (all.length > 1 ? `${file} and ${all.length - 1} more` : file);

const placeSentence = (row) => `${downloadName(row)}: ${row.says}${row.help ? ` → ${row.help}` : ""}.`;

/** Chooses the only file of a drop, if the game has it. */
function chooseDropped(path) {
  const to = mounted.placed.find((row) => row.files.includes(path))?.to[0]?.toLowerCase();
  const file = files.find((one) => (data.layers[one.layer].name + one.path).toLowerCase() === to);
  if (file) choose(file, true);
}

function placedRow(download) {
  const changes = make("details", {}, make("summary", {}, "What it adds and overrides"));
  changes.addEventListener("toggle", () => { if (changes.open) changes.replaceChildren(changes.firstChild, ...changesParts(download)); });
  return make("li", {},
    name(downloadName(download)), `: ${download.says} `, advice(download.help), " ", placeMenu(download),
    ...download.notes.map((words) => note(words.replace(`, and ${mounted.engine} is `, `, and ${engineWords(mounted.engine)} is `))),
    download.to.length ? changes : null);
}

function placeMenu({ name: file, own, mountable }) {
  const { folders } = mounted;
  const options = [["", "as it suggests"], ...folders.map((folder) => [folder, `${folder}/`])];
  if (!folders.includes(own)) options.push([own, `a new folder ${own}/`]);
  if (mountable) options.push([ABOVE, "above the game"]);
  const menu = make("select", { "aria-label": `Place ${file}` }, ...options.map(([value, words]) => make("option", { value }, words)));
  menu.value = choice.places[file] ?? "";
  menu.addEventListener("change", () => {
    const { [file]: _, ...others } = choice.places;
    changeChoice({ places: menu.value ? { ...others, [file]: menu.value } : others, fresh: [file] });
  });
  return menu;
}

/** The folders of a download that the engine does not search, each in a sentence with an advice. */
function unsearched({ to, other }) {
  const isSearched = (folder) => data.layers.some((layer) => layer.name.toLowerCase().startsWith(folder.toLowerCase()));
  const folders = new Set(to.map((path) => path.slice(0, path.indexOf("/") + 1)));
  const help = (folder) => (other ? `choose an engine of its game, such as ${engineWords(other)}` : `choose it under ${mounted.known.includes(folder.slice(0, -1)) ? "Games" : "Missions"}`);
  return [...folders].filter((folder) => !isSearched(folder)).map((folder) => `${engineWords()} does not search ${folder}: ${help(folder)}.`);
}

/** The most names that are listed. */
const CHANGES = 1000;

function changesParts(download) {
  const { to } = download;
  const inDownload = new Set(to.map((path) => path.toLowerCase()));
  const isOwn = (copy) => {
    const layer = data.layers[copy.layer].name.toLowerCase();
    return inDownload.has(layer) || inDownload.has(layer + (copy.stored ?? copy.name).toLowerCase());
  };
  const found = { overrides: [], loses: [], adds: [] };
  for (const file of files) {
    const copies = file.conflict == null ? [file] : conflicts[file.conflict].copies;
    const other = copies.find((copy) => !isOwn(copy));
    if (isOwn(copies[0])) found[other ? "overrides" : "adds"].push([file, other]);
    else if (copies.some(isOwn)) found.loses.push([file, other]);
  }
  const words = { overrides: "overrides ", loses: "is overridden by ", adds: "new" };
  const rows = Object.entries(found).flatMap(([kind, all]) => all.map(([file, other]) =>
    [link(name(file.path), () => goTo(file)), make("span", {}, words[kind], other ? name(data.layers[other.layer].name) : null)]));
  const skippedOnes = data.skipped.filter((archive) => inDownload.has(archive.name.toLowerCase()));
  return [
    make("p", {}, `It adds ${counted(found.adds.length, "name", "names")} and overrides ${number(found.overrides.length)}.`),
    ...unsearched(download).map((sentence) => note(sentence)),
    ...skippedOnes.map((archive) => note(`${engineWords()} skips ${archive.name}: ${spoken(archive.reason)} → ${archive.help}`)),
    ...(rows.length ? [table(["name", "change"], rows.slice(0, CHANGES))] : []),
    ...(rows.length > CHANGES ? [note(`and ${number(rows.length - CHANGES)} more`)] : []),
  ];
}
