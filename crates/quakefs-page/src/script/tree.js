// The tree of files: folders that open, and the keys that move through it.

const openFolders = new Set();
/** The rows of the tree, or of a search. */
let rows = [];

/** The folders and files as nested nodes. Names that cannot be paths are in it too. */
function tree(of) {
  const node = (name, path) => ({ name, path, folders: new Map(), files: [], count: 0, missing: 0 });
  const root = node("", "");
  for (const file of of) {
    let folder = root;
    for (const part of file.folder ? file.folder.split("/") : []) {
      if (!folder.folders.has(part)) folder.folders.set(part, node(part, folder.path ? `${folder.path}/${part}` : part));
      folder = folder.folders.get(part);
      folder.count += file.needed ? 0 : 1;
      folder.missing += file.needed ? 1 : 0;
    }
    folder.files.push(file);
  }
  return root;
}

/** The column by which files are sorted. */
let order = { key: "name", down: false };

/** Files in the order of the chosen column. */
function sorted(of) {
  const placed = (file) => file.layer ?? Infinity;
  const compare = { layer: (a, b) => placed(a) - placed(b), size: (a, b) => a.size - b.size }[order.key];
  const all = compare ? of.toSorted(compare) : [...of];
  return order.down ? all.reverse() : all;
}

/** A name of which a narrow row shows the start and the end: at most 14 characters, for which the style keeps room. */
function shortened(text) {
  const end = Math.max(text.lastIndexOf("/", text.length - 2) + 1, text.length - 14);
  return end ? make("span", { class: "name", title: text }, make("span", { class: "start" }, text.slice(0, end)), text.slice(end)) : name(text);
}

/** The rows of a folder and of the open folders in it, in order. */
function visible(node, depth = 1, into = []) {
  const folders = [...node.folders.values()].sort((a, b) => byOrder(a.name, b.name));
  if (order.key === "name" && order.down) folders.reverse();
  for (const folder of folders) {
    into.push({ folder, depth });
    if (openFolders.has(folder.path)) visible(folder, depth + 1, into);
  }
  // one by one: a call cannot take a hundred thousand arguments
  for (const file of sorted(node.files)) into.push({ file, depth });
  return into;
}

function openAll() {
  for (const folder of new Set(everything.map((file) => file.folder))) {
    const parts = folder.split("/");
    parts.forEach((_, index) => openFolders.add(parts.slice(0, index + 1).join("/")));
  }
}

/** A tag on a missing file, and on a level that needs one. */
function missingTag(file) {
  if (file.needed) return tag("missing", "error");
  return file.lacks.length ? tag(`${number(file.lacks.length)} missing`, "warning") : null;
}

function treeRow(row) {
  const element = make("div", { role: "treeitem", "aria-level": row.depth, tabindex: "-1" }, ...(row.folder ? folderCells(row.folder) : fileCells(row)));
  element.style.paddingInlineStart = `${0.6 + (row.depth - 1) * 1.1}rem`;
  if (row.folder) element.setAttribute("aria-expanded", openFolders.has(row.folder.path));
  else element.setAttribute("aria-selected", row.file === chosen);
  if (row.file?.archive != null) element.classList.add("skipped");
  element.addEventListener("click", () => activate(row));
  row.element = element;
  return element;
}

function folderCells(folder) {
  return [
    make("span", { class: "fold", "aria-hidden": "true" }, openFolders.has(folder.path) ? "▾" : "▸"),
    shortened(`${folder.name}/`),
    folder.missing ? tag(`${number(folder.missing)} missing`, "error") : null,
    make("span", { class: "size" }, counted(folder.count, "file", "files")),
  ];
}

function fileCells({ file, flat }) {
  return [
    make("span", { class: "icon" }, hasPicture(file) ? thumbnail(file) : null),
    shortened(flat ? file.path : file.last),
    overridesDot(file),
    missingTag(file),
    make("span", { class: "from" }, file.needed ? "" : placeOf(file)),
    make("span", { class: "size" }, file.needed ? "" : bytes(file.size)),
  ];
}

/** A coloured dot on a file that overrides other copies. */
function overridesDot(file) {
  if (file.archive != null || !STATES[stateOf(file)]) return null;
  const [words, kind] = STATES[stateOf(file)];
  return make("span", { class: `dot ${kind}`, role: "img", title: `overrides ${words}`, "aria-label": `overrides ${words}` });
}

const treeElement = byId("tree");
const treePager = pager(treeElement, document.querySelector("#files .more"), 300, treeRow);

function focusRow(index) {
  treePager.reach(index)?.focus();
  for (const row of rows) row.element?.setAttribute("tabindex", "-1");
  rows[index]?.element?.setAttribute("tabindex", "0");
}

/** Opens or closes a folder, or shows a file. */
function activate(row) {
  if (row.folder) {
    if (!openFolders.delete(row.folder.path)) openFolders.add(row.folder.path);
    refreshFiles();
    focusRow(rows.findIndex((other) => other.folder?.path === row.folder.path));
  } else {
    choose(row.file, false);
    for (const other of rows) if (other.file) other.element?.setAttribute("aria-selected", other.file === chosen);
    focusRow(rows.indexOf(row));
  }
}

treeElement.addEventListener("keydown", (event) => {
  const index = rows.findIndex((row) => row.element === document.activeElement);
  const row = rows[index];
  if (!row) return;
  const parent = rows.findLastIndex((other, place) => place < index && other.depth < row.depth);
  const isOpen = row.folder && openFolders.has(row.folder.path);
  const moves = {
    ArrowDown: () => focusRow(Math.min(index + 1, rows.length - 1)),
    ArrowUp: () => focusRow(Math.max(index - 1, 0)),
    Home: () => focusRow(0),
    End: () => focusRow(rows.length - 1),
    ArrowRight: () => (row.folder ? (isOpen ? focusRow(index + 1) : activate(row)) : null),
    ArrowLeft: () => (isOpen ? activate(row) : parent >= 0 ? focusRow(parent) : null),
    Enter: () => activate(row),
    " ": () => activate(row),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
});
